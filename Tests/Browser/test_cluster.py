"""Three servers over one PostgreSQL behind HAProxy: any of them may end, and the database too, and the lines
between them may be cut in silence. The full measure is Benchmarks/tours/cluster.py; here a few faults."""
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.cluster import Cluster
from support.cluster_faults import play


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path, 1, more=["--connections-per-network", "5000"], cuttable=True, clocks=True)
    try:
        yield cluster.start()
    finally:
        cluster.stop()


def test_nothing_confirmed_is_lost_or_doubled_and_boards_are_right_again(cluster):
    # In a thread of its own: the browser's driver has a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        faults = {"kill": 2, "crash": 1, "partition": 1, "deaf": 1, "stall": 1, "clock": 1, "newer": 1}
        report = thread.submit(play, cluster, teams=20, faults=faults, seed=2026, shortest=5, longest=5).result()
    assert {name: len(seconds) for name, seconds in report.recoveries.items()} == faults
    assert report.confirmed > 40 and report.resent > 0 and report.saves > 10 and report.accounts > 1
    # Five seconds on a machine at rest, of which a browser waits two before it connects again; this one is busy.
    assert report.slowest < 20, report.recoveries
