import { describe, expect, it } from 'vitest'
import {
  judgePostmaster,
  type PostmasterFacts,
  type ProcessFacts,
  parsePidFile,
} from './postmaster-verdict.ts'

const DATA = '65024:7'

function factsWith(process: ProcessFacts, status = 'ready'): PostmasterFacts {
  return {
    type: 'file',
    file: { pid: 7, socketDirectory: '/home/run', status },
    process,
    dataDirectory: DATA,
  }
}

describe('judgePostmaster', () => {
  it.each<[string, PostmasterFacts, string]>([
    ['nothing without a file', { type: 'no-file' }, 'absent'],
    ['a file being written as a server that is changing', { type: 'unreadable-file', ageMs: 10 }, 'changing'],
    ['an old empty file as left behind', { type: 'unreadable-file', ageMs: 60_000 }, 'stale'],
    ['a gone process as left behind', factsWith({ type: 'gone' }), 'stale'],
    ['a dead but uncollected process as left behind', factsWith({ type: 'zombie' }), 'stale'],
    ['a reused pid as left behind', factsWith({ type: 'alive', command: 'sshd', cwd: '65024:2' }), 'stale'],
    [
      'another cluster as left behind',
      factsWith({ type: 'alive', command: 'postgres', cwd: '65024:8' }),
      'stale',
    ],
    ['our server as ready', factsWith({ type: 'alive', command: 'postgres', cwd: DATA }), 'ready'],
    [
      'our server on its way up as changing',
      factsWith({ type: 'alive', command: 'postgres', cwd: DATA }, 'starting'),
      'changing',
    ],
    ['a server whose folder is hidden as ours', factsWith({ type: 'alive', command: 'postgres' }), 'ready'],
    ['a living process as ours where the system tells no more', factsWith({ type: 'unknown' }), 'ready'],
  ])('judges %s', (_case, facts, verdict) => {
    expect(judgePostmaster(facts).type).toBe(verdict)
  })
})

describe('parsePidFile', () => {
  it('reads pid, socket directory and status', () => {
    const text = ['42', '/home/data', '1700000000', '5432', '/home/run', '', ' 123 456', 'ready   ', ''].join(
      '\n',
    )

    expect(parsePidFile(text)).toEqual({ pid: 42, socketDirectory: '/home/run', status: 'ready' })
  })

  it('returns undefined for an empty or partial file', () => {
    expect(parsePidFile('')).toBeUndefined()
    expect(parsePidFile('\0\0\0')).toBeUndefined()
  })
})
