import { describe, expect, it } from 'vitest'
import { parsePidFile } from './pid-file.ts'

const HOST = 'host 100 7@boot pid-namespace\n'
const host = { pid: 100, startTime: '7@boot' }

describe('parsePidFile', () => {
  it('finds a process as soon as its line is complete', () => {
    expect(parsePidFile('host 100 7@bo')).toEqual({ type: 'unfinished' })
    expect(parsePidFile(HOST)).toEqual({ type: 'claimed', containment: 'pid-namespace', host })
    expect(parsePidFile(`${HOST}holder 101 8@b`)).toEqual(parsePidFile(HOST))
    expect(parsePidFile(`${HOST}holder 101 8@boot\n`)).toMatchObject({
      holder: { pid: 101, startTime: '8@boot' },
    })
  })

  it('finds the program of a process group', () => {
    expect(parsePidFile('host 100 7@boot process-group\nprogram 102 9@boot\n')).toEqual({
      type: 'claimed',
      containment: 'process-group',
      host,
      program: { pid: 102, startTime: '9@boot' },
    })
  })

  it('recognizes a session in a sandbox', () => {
    expect(parsePidFile('host 100 7@boot bubblewrap\n')).toMatchObject({ containment: 'bubblewrap' })
  })

  it('recognizes a session that must never start', () => {
    expect(parsePidFile('forbidden\n')).toEqual({ type: 'forbidden' })
  })

  it.each(['host 0 7@boot x\n', 'host 1 7@boot x\n', 'host -1 7@boot x\n', 'host many 7@boot x\n', '\n'])(
    'refuses invalid lines: %j',
    (text) => {
      expect(parsePidFile(text)).toEqual({ type: 'unfinished' })
    },
  )
})
