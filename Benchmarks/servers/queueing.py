"""A queueing model of several servers: what one request needs of each place where it may wait, measured with one server, and what
follows from it for more servers and other machines.

The requests of a fixed number of connections go round in a closed network. A place is one or several processors of one queue;
what it is asked for by one request is its demand, seconds of processor time. Throughput and response time come from mean value
analysis (Reiser and Lavenberg 1980); a place with m processors is taken as one that is m times as fast, with the rest of its
demand as a delay without a queue (Seidmann, Schweitzer and Shalev-Oren 1987), which is exact for one connection and for very many.
"""
import dataclasses


@dataclasses.dataclass
class Place:
    """Where requests wait: `demand` seconds of processor time a request, on `processors` that share one queue."""
    name: str
    demand: float
    processors: int = 1


@dataclasses.dataclass
class Prediction:
    """Requests a second, seconds from question to answer, and how busy each place is, 0 to 1."""
    throughput: float
    response: float
    use: dict


def closed(places, connections, think=0.0):
    """What `connections` see that each send a request, wait for its answer and `think` for so many seconds."""
    queue = [0.0] * len(places)
    throughput = response = 0.0
    for count in range(1, connections + 1):
        times = []
        for place, length in zip(places, queue):
            fast = place.demand / place.processors
            times.append(fast * (1 + length) + place.demand - fast)
        response = sum(times)
        throughput = count / (response + think) if response + think > 0 else 0.0
        queue = [throughput * place.demand / place.processors * (1 + length) for place, length in zip(places, queue)]
    return Prediction(throughput, response, {place.name: throughput * place.demand / place.processors for place in places})


def on_one_machine(server, database, client, processors):
    """All on one machine: every process waits for the same processors, so the number of servers does not matter."""
    return [Place("processors", server + database + client, processors)]


def on_machines(server, database, servers, processors, database_processors, balancer=0.0):
    """Each server and the database on a machine of its own; requests are spread evenly."""
    places = [Place(f"server {number + 1}", server / servers, processors) for number in range(servers)]
    if database:
        places.append(Place("database", database, database_processors))
    if balancer:
        places.append(Place("balancer", balancer, processors))
    return places
