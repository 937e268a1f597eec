"""Gives the server statements over the native protocol: native_statements.py PORT PASSWORD FILE (JSON). Prints JSON."""

import json
import sys

from clickhouse_driver import Client

client = Client('127.0.0.1', port=int(sys.argv[1]), user='bi_a', password=sys.argv[2], database='bi')
answers = []
with open(sys.argv[3], encoding='utf8') as file:
    for statement in json.load(file):
        try:
            answers.append([[str(value) for value in row] for row in client.execute(statement)])
        except Exception as error:
            answers.append(str(error))
print(json.dumps(answers))
