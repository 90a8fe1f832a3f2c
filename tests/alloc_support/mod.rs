//! An allocator that counts, for the suites that say nothing is allocated.
#![expect(unsafe_code, reason = "a global allocator can't be written without; it hands everything on to the system's")]
#![allow(clippy::arithmetic_side_effects, reason = "tests")]

use std::alloc::GlobalAlloc;
use std::alloc::Layout;
use std::alloc::System;
use std::cell::Cell;

/// Counts what this thread allocates, frees and moves while it is told to.
struct Counting;

thread_local! {
    static COUNTED: Cell<Option<usize>> = const { Cell::new(None) };
}

fn count() {
    // A thread that is ending has no cell any more, and counts nothing.
    let _ = COUNTED.try_with(|counted| counted.set(counted.get().map(|n| n + 1)));
}

// SAFETY: every call goes to the system's allocator with what was given; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count();
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work`; how often it allocated, grew or freed anything.
pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> (T, usize) {
    COUNTED.set(Some(0));
    let done = work();
    (done, COUNTED.take().unwrap_or(usize::MAX))
}

/// Runs `work`, and fails if it allocated, grew or freed anything.
#[track_caller]
pub(crate) fn quiet<T>(work: impl FnOnce() -> T) -> T {
    let (done, count) = counted(work);
    assert_eq!(count, 0, "allocations");
    done
}

#[test]
fn allocations_are_counted() {
    let (text, count) = counted(|| "x".repeat(100));
    assert_eq!(count, 1);
    assert_eq!(counted(|| drop(text)).1, 1);
}
