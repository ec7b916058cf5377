"""M/M/8 as SimPy's manual would write it: customers request one of the servers and wait for their service.

usage: mm8.py CUSTOMERS [timers]
With "timers", each customer also has a ttl, a limit of its service, and a record that is kept for a while.
"""

import json
import random
import sys
import time

import simpy

SERVERS = 8
SERVICE_MS = 1_000
LOAD = 0.9
TTL_MS = 24 * 3600 * 1000
EXECUTION_TIMEOUT_MS = 600 * 1000
RETENTION_MS = 30 * 60 * 1000


def customer(env, servers, rng, waits):
    arrived = env.now
    with servers.request() as request:
        yield request
        waits.append(env.now - arrived)
        yield env.timeout(rng.expovariate(1 / SERVICE_MS))


def customer_with_timers(env, servers, rng, waits, records):
    arrived = env.now
    ttl = env.timeout(TTL_MS)
    records.add(env.active_process)
    with servers.request() as request:
        yield request | ttl
        if request.triggered:
            waits.append(env.now - arrived)
            work = env.timeout(rng.expovariate(1 / SERVICE_MS))
            limit = env.timeout(EXECUTION_TIMEOUT_MS)
            yield work | limit | ttl
    if not ttl.processed:
        yield env.timeout(RETENTION_MS) | ttl
    records.discard(env.active_process)


def source(env, customers, servers, rng, waits, timers):
    records = set()
    for _ in range(customers):
        yield env.timeout(rng.expovariate(SERVERS * LOAD / SERVICE_MS))
        if timers:
            env.process(customer_with_timers(env, servers, rng, waits, records))
        else:
            env.process(customer(env, servers, rng, waits))


def main():
    customers = int(sys.argv[1])
    timers = "timers" in sys.argv[2:]
    rng = random.Random(1)
    env = simpy.Environment()
    waits = []
    env.process(source(env, customers, simpy.Resource(env, SERVERS), rng, waits, timers))
    begun = time.process_time()
    env.run()
    cpu_ms = (time.process_time() - begun) * 1000
    print(json.dumps({"units": customers, "ms": cpu_ms, "meanWaitMs": sum(waits) / len(waits)}))


main()
