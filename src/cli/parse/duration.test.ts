import { describe, expect, it } from 'vitest'
import { parseDurationMinutes } from './duration.ts'

describe('parseDurationMinutes', () => {
  it.each([
    ['90m', 90],
    ['1h30m', 90],
    ['2h', 120],
    ['1d', 1440],
    ['1.5h', 90],
    ['45', 45],
    ['90s', 2],
    ['10s', 1],
  ])('reads %s as %i minutes', (text, minutes) => {
    expect(parseDurationMinutes(text)).toBe(minutes)
  })

  it.each(['', '0', '0m', '-5m', '5 m', 'm', '1h30', 'soon', '1e3', '400d', 'Infinity'])(
    'refuses "%s"',
    (text) => {
      expect(parseDurationMinutes(text)).toBeUndefined()
    },
  )
})
