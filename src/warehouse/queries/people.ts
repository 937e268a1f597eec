import { Type } from 'typebox';
import type { Person } from '../../domain/people.js';
import type { Role } from '../../domain/roles.js';
import type { Warehouse } from '../client.js';
import { INSTALLATION } from '../cluster/placement.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { millisOf } from '../sql.js';
import { defineQuery, nullable, textOf, texts, type RowOf } from '../query.js';

const PEOPLE = defineQuery('people', {
  ...texts('personId', 'name', 'password', 'hash', 'by'),
  role: textOf<Role>(),
  allShops: Type.Boolean(),
  shops: Type.Array(Type.String()),
  createdAt: Type.Number(),
  until: nullable(Type.Number()),
});

export interface PeopleStore {
  /** All of them, by the time at which they were made. */
  list(): Promise<Person[]>;
  write(person: Person, version: number): Promise<void>;
  /** Leaves nothing of the person but the id. */
  remove(personId: string, version: number): Promise<void>;
}

export function createPeopleStore(warehouse: Warehouse): PeopleStore {
  return {
    async list() {
      const sql = `SELECT person_id AS personId, name, role, all_shops AS allShops, shops, password, invitation AS hash,
         invited_by AS "by", ${millisOf('created_at')} AS createdAt, ${millisOf('invited_until')} AS until
       FROM people FINAL WHERE place = '' AND NOT is_deleted ORDER BY created_at, person_id`;
      return (await warehouse.ask(PEOPLE(sql), { key: INSTALLATION })).map(toPerson);
    },
    write: (person, version) => warehouse.insert('people', [toRow(person, version)]),
    remove: (personId, version) =>
      warehouse.insert('people', [{ place: INSTALLATION, person_id: personId, version, is_deleted: 1 }]),
  };
}

function toPerson({ hash, by, until, allShops, shops, ...person }: RowOf<typeof PEOPLE>): Person {
  const invitation = hash === '' || until === null ? null : { hash, by, until };
  return { ...person, shops: allShops ? null : shops, invitation };
}

const toRow = ({ personId, name, role, shops, password, invitation, createdAt }: Person, version: number) => ({
  place: INSTALLATION,
  person_id: personId,
  name,
  role,
  all_shops: shops === null,
  shops: shops ?? [],
  password,
  invitation: invitation?.hash ?? '',
  invited_by: invitation?.by ?? '',
  invited_until: nullableDateTimeText(invitation?.until ?? null),
  created_at: dateTimeText(createdAt),
  version,
});
