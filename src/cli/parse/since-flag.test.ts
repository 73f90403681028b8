import { describe, expect, it } from 'vitest'
import { sinceFlag, startOf } from './since-flag.ts'

const NOW = new Date('2031-04-01T12:00:00.000Z')

describe('--since', () => {
  it.each([
    ['90s', '2031-04-01T11:58:30.000Z'],
    ['10m', '2031-04-01T11:50:00.000Z'],
    ['2h', '2031-04-01T10:00:00.000Z'],
    ['1d', '2031-03-31T12:00:00.000Z'],
    ['2031-04-01T09:30:00Z', '2031-04-01T09:30:00.000Z'],
    ['2031-04-01T11:30+02:00', '2031-04-01T09:30:00.000Z'],
  ])('%s starts at %s', (text, start) => {
    expect(startOf(sinceFlag(text), NOW).toISOString()).toBe(start)
  })

  it.each(['', 'soon', '10', '-5m', '10 minutes', '2031-13-01', '2031'])('refuses %j', (text) => {
    expect(() => sinceFlag(text)).toThrow(/duration such as 10m/)
  })
})
