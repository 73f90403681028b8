import { describe, expect, it } from 'vitest'
import { findLimit } from './find-limit.ts'

describe('a limit in an error', () => {
  it.each([
    { code: 429, message: 'x' },
    { code: -32_603, message: 'x', data: { status: 429 } },
    { code: -32_603, message: 'x', data: { error: { type: 'rate_limit_error' } } },
    { code: -32_603, message: 'x', data: { codexErrorInfo: 'usageLimitExceeded' } },
    { code: -32_603, message: 'x', data: { cause: { error: { status: 'RESOURCE_EXHAUSTED' } } } },
  ])('is found in typed fields: %j', (error) => {
    expect(findLimit(error)).toEqual({})
  })

  it.each([
    { code: -32_603, message: 'Rate limit exceeded (429)' },
    { code: -32_603, message: 'x', data: 'rate_limit_error' },
    { code: -32_603, message: 'x', data: { details: 'rate_limit_error', tokens: 429 } },
    { code: 500, message: 'x', data: { status: 500 } },
  ])('is not found in text: %j', (error) => {
    expect(findLimit(error)).toBeUndefined()
  })

  it.each([
    [1_767_268_800, '2026-01-01T12:00:00.000Z'],
    [1_767_268_800_000, '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T13:00:00+01:00', '2026-01-01T12:00:00.000Z'],
  ])('has an end given as %s', (resetsAt, time) => {
    expect(findLimit({ code: 429, message: 'x', data: { resets_at: resetsAt } })).toEqual({ resetsAt: time })
  })

  it('has no end if the error gives no valid time', () => {
    expect(findLimit({ code: 429, message: 'x', data: { resetsAt: 'tomorrow' } })).toEqual({})
    expect(findLimit({ code: 429, message: 'x', data: { resetsAt: 1e300 } })).toEqual({})
  })
})
