import { expect, it } from 'vitest'
import { parseExitFile } from './inspect-host.ts'

it.each([
  ['exited 0\n', { type: 'exited', code: 0 }],
  ['exited 255\n', { type: 'exited', code: 255 }],
  ['signalled 9\n', { type: 'signalled', signal: 9 }],
  ['away\n', { type: 'lost', reason: expect.stringContaining('no daemon') }],
  ['memory\n', { type: 'lost', reason: expect.stringContaining('more memory') }],
  ['processes\n', { type: 'lost', reason: expect.stringContaining('more processes') }],
  ['unstarted 1\n', { type: 'lost', reason: expect.stringContaining('status 1') }],
  ['exited 2', undefined],
  ['', undefined],
])('parses the exit file %j', (text, expected) => {
  expect(parseExitFile(text)).toEqual(expected)
})
