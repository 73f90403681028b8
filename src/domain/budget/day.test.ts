import { expect, it } from 'vitest'
import { dayOf } from './day.ts'
import { dollars } from './dollars.ts'

it('a day lasts from one local midnight to the next, also at the end of a year', () => {
  const day = dayOf(new Date(2026, 11, 31, 23, 59, 59, 999))
  expect(day.start).toEqual(new Date(2026, 11, 31))
  expect(day.end).toEqual(new Date(2027, 0, 1))
})

it('a day begins at its own midnight', () => {
  const midnight = new Date(2026, 4, 1)
  expect(dayOf(midnight)).toEqual({ start: midnight, end: new Date(2026, 4, 2) })
})

it('shows amounts below a cent as more than nothing', () => {
  expect([0, 0.0042, 0.5, 12.345].map(dollars)).toEqual(['$0.00', '$0.0042', '$0.50', '$12.35'])
})
