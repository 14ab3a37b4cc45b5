//! All `unsafe` code of the engine, with the reasons why it is sound.
//!
//! - [`DisjointRounds`] finds sets of elements that several threads may change at the same time, and [`SetShare`] gives
//!   access to them.
//! - [`Nearby`] reads the elements around an index, with one bounds check for all of them.
//! - [`shared_bytes`] lets several threads write bytes.
//! - [`prefetch`] requests an element that will be read soon.
//! - [`run_widest`] calls code that is compiled for the widest vectors of the processor.
//!
//! The tests of this module run under Miri (`.ci/run`, where Miri is available). Miri checks every access of the first
//! two items of this list; for the other items it executes the portable code.

#![allow(unsafe_code)]

mod rounds;

pub(crate) use rounds::DisjointRounds;

use std::cell::UnsafeCell;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU8;

/// A slice whose elements several threads may change at the same time, each element by one thread.
struct Disjoint<'a, T> {
    elements: &'a [UnsafeCell<T>],
}

// SAFETY: `Disjoint` gives access to elements only through `unsafe` methods, whose callers promise that no two
// threads access one element at the same time. So a shared `Disjoint` only moves elements between threads (`T:
// Send`).
unsafe impl<T: Send> Sync for Disjoint<'_, T> {}

// SAFETY: as above. It is a shared reference to elements that are accessed as that promise allows.
unsafe impl<T: Send> Send for Disjoint<'_, T> {}

impl<'a, T> Disjoint<'a, T> {
    /// Borrows the whole slice. The caller decides which thread accesses which element.
    fn new(elements: &'a mut [T]) -> Self {
        let elements: *mut [T] = elements;
        // SAFETY: `UnsafeCell<T>` has the layout of `T`, and the exclusive borrow of the slice lasts as long as
        // `Self`.
        Self { elements: unsafe { &*(elements as *const [UnsafeCell<T>]) } }
    }

    /// One element.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    ///
    /// # Safety
    ///
    /// While the result lives, this element must not be changed, and no other thread may access it.
    #[inline]
    unsafe fn get(&self, index: usize) -> &T {
        // SAFETY: the pointer is valid because the cell is borrowed. The caller promises that the element is not
        // changed.
        unsafe { &*self.elements[index].get() }
    }

    /// One element, mutably.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    ///
    /// # Safety
    ///
    /// While the result lives, there must be no other access to this element, in this thread or another.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    unsafe fn get_mut(&self, index: usize) -> &mut T {
        // SAFETY: the pointer is valid because the cell is borrowed. The caller promises that it is the only access.
        unsafe { &mut *self.elements[index].get() }
    }
}

/// Some sets of one round, with access to their elements, for one thread at a time.
pub(crate) struct SetShare<'a, T> {
    rounds: &'a DisjointRounds,
    /// The sets of this share. Each set of the round is in exactly one share.
    sets: &'a [u32],
    elements: Disjoint<'a, T>,
}

impl<'a, T> SetShare<'a, T> {
    /// Creates the share with all sets of a round.
    pub(crate) fn new(rounds: &'a DisjointRounds, round: usize, elements: &'a mut [T]) -> Self {
        Self { rounds, sets: rounds.sets(round), elements: Disjoint::new(elements) }
    }

    /// Splits the share in two, the first with the first half of the sets.
    pub(crate) fn halves(self) -> (Self, Self) {
        let (first, second) = self.sets.split_at(self.sets.len() / 2);
        let elements = Disjoint { elements: self.elements.elements };
        (Self { sets: first, elements, ..self }, Self { sets: second, ..self })
    }

    /// The number of remaining sets.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The next set, and access to its elements; `None` after the last set.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(u32, SetAccess<'_, T>)> {
        /// The number of sets by which prefetching is ahead of the accesses.
        const AHEAD: usize = 4;
        let (&set, rest) = self.sets.split_first()?;
        self.sets = rest;
        if let Some(&soon) = rest.get(AHEAD - 1) {
            for &member in self.rounds.members(soon) {
                prefetch(self.elements.elements, member as usize);
            }
        }
        Some((set, SetAccess { members: self.rounds.members(set), elements: &self.elements }))
    }
}

/// Exclusive access to the elements of one set.
pub(crate) struct SetAccess<'a, T> {
    members: &'a [u32],
    elements: &'a Disjoint<'a, T>,
}

impl<T> SetAccess<'_, T> {
    /// The members, with [`DisjointRounds::EMPTY`] at empty positions.
    #[inline(always)]
    pub(crate) fn members(&self) -> &[u32] {
        self.members
    }

    /// The element at a position of the set; `None` if the position is empty.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        let &member = self.members.get(place)?;
        // SAFETY: there is no other access to the element, for the reasons in `get_mut`; mutable access to this set
        // needs `&mut self`.
        (member != DisjointRounds::EMPTY).then(|| unsafe { self.elements.get(member as usize) })
    }

    /// The element at a position of the set, mutably; `None` if the position is empty.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        let &member = self.members.get(place)?;
        // SAFETY: there is no other access to the element. `SetShare::new` borrows all elements, so only the shares of
        // one round exist. Each set of the round is in exactly one of them, and `SetShare::next` borrows its share
        // until the set is given back. Sets of one round have no element in common: `settle` puts a set in a later
        // round than every earlier set with one of its elements, and compares what is in `members`. Within the set,
        // `&mut self` allows one access at a time.
        (member != DisjointRounds::EMPTY).then(|| unsafe { self.elements.get_mut(member as usize) })
    }
}

/// An element with all elements at most `width` before or after it. One bounds check replaces one per access.
pub(crate) struct Nearby<'a, T> {
    elements: &'a mut [T],
    at: usize,
    /// The distance up to which elements are accessible. Invariant: `width <= at`, and `at + width` is a valid index.
    width: usize,
}

impl<'a, T> Nearby<'a, T> {
    /// Creates access to the elements around `at`.
    ///
    /// # Panics
    ///
    /// Panics unless there are `width` elements before and after `at`.
    #[inline(always)]
    pub(crate) fn new(elements: &'a mut [T], at: usize, width: NonZeroUsize) -> Self {
        let width = width.get();
        // The number of elements that have `width` others on both sides.
        let inner = elements.len().saturating_sub(width).saturating_sub(width);
        if at.wrapping_sub(width) >= inner {
            too_near_the_end(at, width, elements.len());
        }
        Self { elements, at, width }
    }

    /// All elements of the slice.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[T] {
        self.elements
    }

    /// All elements of the slice, mutably.
    #[inline(always)]
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        self.elements
    }

    /// The index of the element that is `ahead` after and `back` before the middle; both distances are capped at
    /// `width`.
    #[inline(always)]
    pub(crate) fn place(&self, ahead: usize, back: usize) -> usize {
        self.at + ahead.min(self.width) - back.min(self.width)
    }

    /// The element that is `ahead` after and `back` before the middle; both distances are capped at `width`.
    #[inline(always)]
    pub(crate) fn get(&self, ahead: usize, back: usize) -> &T {
        // SAFETY: `place` is at least `at - width` and at most `at + width`; `new` has checked that both are
        // elements.
        unsafe { self.elements.get_unchecked(self.place(ahead, back)) }
    }

    /// The element that is `ahead` after and `back` before the middle, mutably; both distances are capped at `width`.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, ahead: usize, back: usize) -> &mut T {
        let place = self.place(ahead, back);
        // SAFETY: as in `get`.
        unsafe { self.elements.get_unchecked_mut(place) }
    }
}

#[cold]
#[inline(never)]
fn too_near_the_end(at: usize, width: usize, len: usize) -> ! {
    panic!("element {at} of {len} does not have {width} others on each side");
}

/// Bytes that several threads may write at the same time.
pub(crate) fn shared_bytes(bytes: &mut [u8]) -> &[AtomicU8] {
    let bytes: *mut [u8] = bytes;
    // SAFETY: `AtomicU8` has the layout of `u8`. The exclusive borrow of the bytes lasts as long as the result, so
    // until then every access is atomic.
    unsafe { &*(bytes as *const [AtomicU8]) }
}

/// Prefetches the element at `index`, if there is one, so that a later read is faster. Has no other effect.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is allowed, even an unmapped one, and changes nothing. SSE is part of
        // every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (slice, index);
}

/// Vector instruction sets that code can be compiled for, from the narrowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Vectors {
    /// The instructions that every processor of the target has.
    Portable,
    /// AVX2: 256 bits.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL, VPOPCNTDQ and VBMI2): 512 bits.
    Avx512,
}

impl Vectors {
    /// The widest vectors that this processor has.
    #[must_use]
    pub fn widest() -> Self {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("avx512vbmi2")
            {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }
}

/// Work that is compiled once for each width of vectors.
pub trait Kernel {
    /// The result type.
    type Output;

    /// Runs the work. Implementations, and the functions that they call in inner loops, must be `#[inline(always)]`.
    /// Otherwise the compiler does not use the vectors of the caller.
    fn run(self) -> Self::Output;
}

/// Runs `kernel` with code for `vectors`, or for the widest vectors of this processor if it does not have the requested
/// ones.
///
/// ```
/// use acrasin_engine::{Kernel, Vectors, run_widest};
///
/// /// The sum of many numbers.
/// struct Sum<'a>(&'a [u32]);
///
/// impl Kernel for Sum<'_> {
///     type Output = u32;
///
///     #[inline(always)]
///     fn run(self) -> u32 {
///         self.0.iter().sum()
///     }
/// }
///
/// assert_eq!(run_widest(Vectors::widest(), Sum(&[1, 2, 3])), 6);
/// ```
#[inline]
pub fn run_widest<K: Kernel>(vectors: Vectors, kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match vectors.min(Vectors::widest()) {
        // SAFETY: `widest` has just found all these features on this processor.
        Vectors::Avx512 => return unsafe { run_avx512(kernel) },
        // SAFETY: as above.
        Vectors::Avx2 => return unsafe { run_avx2(kernel) },
        Vectors::Portable => {}
    }
    let _ = vectors;
    kernel.run()
}

/// Runs `kernel` with code for AVX-512 if it is requested and available, and with portable code otherwise. Intended for
/// rarely used kernels that take long to compile.
#[inline]
pub(crate) fn run_widest_or_portable<K: Kernel>(vectors: Vectors, kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if vectors == Vectors::Avx512 && Vectors::widest() == Vectors::Avx512 {
        // SAFETY: `widest` has just found all these features on this processor.
        return unsafe { run_avx512(kernel) };
    }
    let _ = vectors;
    kernel.run()
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    // Vectors without a register are kept on the stack. The compiler aligns the stack for variables that need it, but
    // not for spilled vectors. Each would then span two cache lines, which costs bit-sliced rounds a tenth of their
    // time.
    #[repr(align(64))]
    struct CacheLine(#[expect(dead_code, reason = "only its address matters")] u64);
    std::hint::black_box(&mut CacheLine(0));
    kernel.run()
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_different_elements() {
        let mut numbers: Vec<u64> = (0..1000).collect();
        let shared = Disjoint::new(&mut numbers);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let shared = &shared;
                scope.spawn(move || {
                    for index in (thread..1000).step_by(4) {
                        // SAFETY: each thread has its own residue modulo 4.
                        *unsafe { shared.get_mut(index) } += 1;
                    }
                });
            }
        });
        assert!(numbers.iter().zip(1..).all(|(&number, expected)| number == expected));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_element_that_is_not_there_is_a_panic() {
        let mut numbers = [0_u8; 3];
        let shared = Disjoint::new(&mut numbers);
        // SAFETY: there is no other access to the slice.
        let _ = unsafe { shared.get_mut(3) };
    }

    #[test]
    fn only_nearby_elements_can_be_accessed() {
        fn new(numbers: &mut [u32], at: usize, width: usize) -> Nearby<'_, u32> {
            Nearby::new(numbers, at, NonZeroUsize::new(width).expect("positive"))
        }
        let mut numbers: Vec<u32> = (0..10).collect();
        for at in 3..7 {
            let mut nearby = new(&mut numbers, at, 3);
            for (ahead, back) in
                [(0, 0), (3, 0), (0, 3), (2, 1), (3, 2), (9, 0), (0, usize::MAX), (usize::MAX, 1)]
            {
                let expected = at + ahead.min(3) - back.min(3);
                assert_eq!(
                    (nearby.place(ahead, back), *nearby.get(ahead, back)),
                    (expected, expected as u32)
                );
                *nearby.get_mut(ahead, back) += 0;
            }
            *nearby.get_mut(0, 3) = 100;
            assert_eq!(nearby.all()[at - 3], 100);
            nearby.all_mut()[at] = 50;
            assert_eq!(*nearby.get(0, 0), 50);
            numbers[at] = at as u32;
            numbers[at - 3] = at as u32 - 3;
        }
        for (at, width) in [(2, 3), (7, 3), (0, 11), (usize::MAX, 1)] {
            let outside = std::panic::AssertUnwindSafe(|| new(&mut numbers, at, width).place(0, 0));
            assert!(std::panic::catch_unwind(outside).is_err(), "{at} {width}");
        }
    }

    #[test]
    fn threads_write_bytes() {
        use std::sync::atomic::Ordering;
        let mut bytes = vec![0_u8; 1000];
        let shared = shared_bytes(&mut bytes);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                // All four threads write the same value to every fourth byte, and each its own quarter of the rest.
                scope.spawn(move || {
                    for (index, byte) in shared.iter().enumerate() {
                        if index.is_multiple_of(4) {
                            byte.store(99, Ordering::Relaxed);
                        } else if index / 250 == thread {
                            byte.store(index as u8, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let expected = |index: usize| if index.is_multiple_of(4) { 99 } else { index as u8 };
        assert!(bytes.iter().enumerate().all(|(index, &byte)| byte == expected(index)));
        assert!(shared_bytes(&mut []).is_empty());
    }

    #[test]
    fn prefetching_is_allowed_anywhere() {
        let numbers = [1_u8, 2, 3];
        prefetch(&numbers, 0);
        prefetch(&numbers, 3);
        prefetch::<u64>(&[], 0);
    }

    #[test]
    fn every_width_computes_the_same() {
        struct Sum<'a>(&'a [u64]);
        impl Kernel for Sum<'_> {
            type Output = u64;
            #[inline(always)]
            fn run(self) -> u64 {
                self.0.iter().map(|word| u64::from(word.count_ones())).sum()
            }
        }
        let words: Vec<u64> = (0..500_u64).map(crate::draw::mix).collect();
        let expected = run_widest(Vectors::Portable, Sum(&words));

        for vectors in [Vectors::Avx2, Vectors::Avx512] {
            assert_eq!(run_widest(vectors, Sum(&words)), expected);
            assert_eq!(run_widest_or_portable(vectors, Sum(&words)), expected);
        }
    }
}
