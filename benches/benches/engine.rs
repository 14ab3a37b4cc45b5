//! Criterion benches of the engine's rungs: `cargo bench -p acrasin-benches --bench engine`. They compare a change
//! with the code before it; the figures of record are those of `acrasin bench`.

#![allow(missing_docs, reason = "the macro of the library makes functions without any")]

use acrasin_engine::round::MemoryLimit;
use acrasin_workload::{Ask, WARM_UP, groups};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Benches every row of the lock families at its smallest size, on one thread.
fn rows(criterion: &mut Criterion) {
    let ask = Ask {
        families: vec!["L1", "M1", "M2", "M3", "P6"],
        nodes: vec![1 << 14],
        full: false,
        seed: 1,
        memory: MemoryLimit(1 << 31),
        check: false,
        warm_up: WARM_UP,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread can be started");
    for group in groups(&ask).expect("every family has this size") {
        let mut bench = criterion.benchmark_group(group.family.id);
        bench.sample_size(10);
        for row in &group.rows {
            let mut work = row.build().expect("it was checked to fit");
            let items = pool.install(|| work.sample()).items;
            bench.throughput(Throughput::Elements(items));
            bench.bench_function(&row.variant, |bencher| bencher.iter(|| pool.install(|| work.sample())));
        }
        bench.finish();
    }
}

criterion_group!(engine, rows);
criterion_main!(engine);
