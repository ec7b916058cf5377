"""M/M/8 as Ciw's manual would write it. usage: mm8_ciw.py CUSTOMERS"""

import json
import sys
import time

import ciw

SERVERS = 8
SERVICE_MS = 1_000
LOAD = 0.9


def main():
    customers = int(sys.argv[1])
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate=SERVERS * LOAD / SERVICE_MS)],
        service_distributions=[ciw.dists.Exponential(rate=1 / SERVICE_MS)],
        number_of_servers=[SERVERS],
    )
    ciw.seed(1)
    simulation = ciw.Simulation(network)
    begun = time.process_time()
    simulation.simulate_until_max_customers(customers, method="Finish")
    cpu_ms = (time.process_time() - begun) * 1000
    waits = [record.waiting_time for record in simulation.get_all_records()]
    print(json.dumps({"units": len(waits), "ms": cpu_ms}))


main()
