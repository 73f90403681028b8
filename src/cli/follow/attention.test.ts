import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { CommandNeeds } from '../command-needs.ts'
import { openAttention } from './attention.ts'

function drawn(isTerminal: boolean, environment: Record<string, string>): string {
  const stdout = new PassThrough()
  const needs = { output: { isTerminal, quiet: false }, surroundings: { stdout, environment } }
  {
    using attention = openAttention(needs as unknown as CommandNeeds)
    for (const waiting of [0, 1, 1, 2, 1]) attention.show(waiting)
  }
  return JSON.stringify(stdout.read()?.toString() ?? '')
}

it('rings for each new request, and restores the title at the end', () => {
  const text = drawn(true, {})
  expect(text.match(/waiting for you\\u0007\\u0007/g)).toHaveLength(2)
  expect(text).toMatch(/^"\\u001b\[22;2t\\u001b\]2;muster: 1 waiting for you/)
  expect(text).toMatch(/\\u001b\[23;2t"$/)
})

it('is silent with MUSTER_BELL=0, and writes nothing if there is no terminal', () => {
  expect(drawn(true, { MUSTER_BELL: '0' })).not.toContain('\\u0007\\u0007')
  expect(drawn(false, {})).toBe('""')
})

it('sets the title again without ringing for what the person has heard of', () => {
  const stdout = new PassThrough()
  const needs = { output: { isTerminal: true, quiet: false }, surroundings: { stdout, environment: {} } }
  openAttention(needs as unknown as CommandNeeds, 2).show(2)
  const text = JSON.stringify(stdout.read().toString())
  expect(text).toContain('muster: 2 waiting for you')
  expect(text).not.toContain('\\u0007\\u0007')
})
