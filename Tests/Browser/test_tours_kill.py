"""The server is killed while teams answer. The full measure is Benchmarks/tours/kill.py; here a few rounds."""
from concurrent.futures import ThreadPoolExecutor

from support.killing import kill_again_and_again
from support.sightline import Sightline


def test_no_confirmed_answer_is_lost_and_none_counts_twice(tmp_path):
    server = Sightline(tmp_path, 1).start()
    try:
        # In a thread of its own: the browser's driver has a loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            report = thread.submit(kill_again_and_again, server, teams=40, rounds=4, seed=2026).result()
    finally:
        server.stop()
    assert report.rounds == 4 and report.confirmed > 40 and report.resent > 0
