//! The tokens of a Rust source, without comments, the contents of strings, and test code.

/// A word, a sign, or `::`. A literal is one token, and a string is `""`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// The line, from 1.
    pub(crate) line: usize,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether the token is a name, a keyword or `_`.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens that are compiled outside of tests.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    without_tests(&scan(source))
}

fn scan(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let rest = &chars[at..];
        let len = length(rest);
        let text: String = match rest[0] {
            c if c.is_whitespace() => String::new(),
            '/' if matches!(rest.get(1), Some('/' | '*')) => String::new(),
            _ if is_text(rest) => "\"\"".to_owned(),
            _ => rest[..len].iter().collect(),
        };
        if !text.is_empty() {
            tokens.push(Token { text, line });
        }
        line += rest[..len].iter().filter(|&&c| c == '\n').count();
        at += len;
    }
    tokens
}

/// The length of the first token, blank or comment, in characters.
fn length(rest: &[char]) -> usize {
    let until = |from: usize, end: &[char]| {
        let found = rest[from..].windows(end.len()).position(|window| window == end);
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    match rest[0] {
        '/' if rest.get(1) == Some(&'/') => until(0, &['\n']),
        '/' if rest.get(1) == Some(&'*') => block_comment(rest),
        ':' if rest.get(1) == Some(&':') => 2,
        '\'' => match rest.get(1) {
            Some('\\') => until(3, &['\'']),
            Some(_) if rest.get(2) == Some(&'\'') => 3,
            // A lifetime.
            _ => 1 + word(&rest[1..]),
        },
        _ if is_text(rest) => {
            let prefix = rest.iter().take_while(|c| c.is_alphabetic()).count();
            let marks = rest[prefix..].iter().take_while(|&&c| c == '#').count();
            let start = prefix + marks + 1;
            if rest[..prefix].contains(&'r') {
                let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', marks)).collect();
                return until(start, &end);
            }
            let mut at = start;
            while at < rest.len() && rest[at] != '"' {
                at += if rest[at] == '\\' { 2 } else { 1 };
            }
            (at + 1).min(rest.len())
        }
        c if c.is_alphanumeric() || c == '_' => word(rest),
        _ => 1,
    }
}

fn word(rest: &[char]) -> usize {
    rest.iter().take_while(|&&c| c.is_alphanumeric() || c == '_').count()
}

/// Block comments can be nested.
fn block_comment(rest: &[char]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            ('/', '*') => (at, depth) = (at + 2, depth + 1),
            ('*', '/') => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// Whether a string starts here: `"`, `b"`, `c"`, `r"`, `r#"`, `br"`.
fn is_text(rest: &[char]) -> bool {
    let prefix = rest.iter().take_while(|c| c.is_alphabetic()).count();
    let marks = rest[prefix..].iter().take_while(|&&c| c == '#').count();
    let raw = rest[..prefix].contains(&'r');
    let known = prefix <= 2 && rest[..prefix].iter().all(|c| "bcr".contains(*c));
    known && (marks == 0 || raw) && rest.get(prefix + marks) == Some(&'"')
}

/// The end of the group that opens at `start`, after its closing bracket.
pub(crate) fn group_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The end of the item that starts here, after its `;` or its braces.
pub(crate) fn item_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
            ";" => return at + 1,
            "{" => return group_end(tokens, at),
            "(" | "[" => at = group_end(tokens, at),
            _ => at += 1,
        }
    }
    at
}

fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let starts = |at: usize, texts: &[&str]| {
        tokens.len() >= at + texts.len()
            && texts.iter().zip(&tokens[at..]).all(|(text, token)| token.is(text))
    };
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if starts(at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            at += 7;
            while starts(at, &["#", "["]) {
                at = group_end(tokens, at + 1);
            }
            at = item_end(tokens, at);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

#[test]
fn comments_texts_and_tests_are_passed_over() {
    let texts =
        |source: &str| tokens(source).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
    assert_eq!(texts("use a::b; // use c;\n/* use /* d */; */ use e;"), "use a :: b ; use e ;");
    assert_eq!(
        texts(r##"f("use a;\"b", r#"c"d"#, b"x", '"', '\'', 'a', g)"##),
        r#"f ( "" , "" , "" , '"' , '\'' , 'a' , g )"#
    );
    assert_eq!(texts("fn f<'a>(x: &'a str, r: u8)"), "fn f < 'a > ( x : & 'a str , r : u8 )");
    assert_eq!(texts("#[cfg(test)]\n#[x]\nmod tests { use a; fn f() {} }\nuse b;"), "use b ;");
    assert_eq!(
        texts("#[cfg(test)]\nmod tests;\n#[cfg(not(test))]\nuse b;"),
        "# [ cfg ( not ( test ) ) ] use b ;"
    );
    let lines: Vec<usize> = tokens("a\n/*\n*/ b \"\n\" c").iter().map(|token| token.line).collect();
    assert_eq!(lines, [1, 3, 3, 4]);
}
