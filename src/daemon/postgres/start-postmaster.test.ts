import { expect, it } from 'vitest'
import { classifyStartRefusal } from './start-postmaster.ts'

it.each([
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'no-space'],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', 'busy'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'busy'],
  ['PANIC:  could not read file "global/pg_control": read 0 of 296', 'damaged'],
  ['FATAL:  could not open directory "pg_wal": No such file or directory', 'damaged'],
  ['FATAL:  configuration file "/x/postgresql.conf" contains errors', 'refused'],
])('reads "%s" as %s', (line, refusal) => {
  expect(classifyStartRefusal(['LOG:  starting', line, 'LOG:  database system is shut down'])).toBe(refusal)
})
