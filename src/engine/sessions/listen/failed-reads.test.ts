import { describe, expect, it } from 'vitest'
import { ids } from '../../../../test/support/example-records.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { FailedReads } from './failed-reads.ts'

const sessionId = ids.next('session')

describe('failed reads of a session', () => {
  it('are retried until there are too many in a row', () => {
    const failedReads = new FailedReads(0)
    const verdicts = Array.from({ length: RETRY_LIMITS.spoolReads }, () => failedReads.add(sessionId))
    expect(verdicts.slice(0, -1).every((verdict) => verdict === 'retry')).toBe(true)
    expect(verdicts.at(-1)).toBe('give-up')
    failedReads.delete(sessionId)
    expect(failedReads.add(sessionId)).toBe('retry')
  })

  it('count once if they follow each other quickly', () => {
    const failedReads = new FailedReads(60_000)
    expect(failedReads.add(sessionId)).toBe('retry')
    for (let times = 0; times < 100; times += 1) expect(failedReads.add(sessionId)).toBe('wait')
  })
})
