import { describe, expect, it } from 'vitest'
import { type IdLengths, NAMED_KINDS, shortId, shortIdsIn } from './short-id.ts'

const LENGTHS = Object.fromEntries(NAMED_KINDS.map((kind) => [kind, 4])) as IdLengths
const JOB = 'job_0mwabcdefx3f9000000z'
const SHORT = 'job_x3f9'

describe('a short id', () => {
  it('is the start of the random part, because ids of one day start alike', () => {
    expect(shortId(JOB, LENGTHS)).toBe(SHORT)
    expect(shortId(JOB, { ...LENGTHS, job: 6 })).toBe('job_x3f900')
  })

  it('has a fixed length if no command takes records of the kind', () => {
    expect(shortId('cnd_0mwabcdefx3f9000000z', LENGTHS)).toBe('cnd_x3f900')
    expect(shortId('t1-2', LENGTHS)).toBe('t1-2')
  })
})

describe('short ids in a text', () => {
  it.each([
    [`${JOB} is paused`, `${SHORT} is paused`],
    [`try: muster show ${JOB}.`, `try: muster show ${SHORT}.`],
    [`two:\n${JOB}\n${JOB}`, `two:\n${SHORT}\n${SHORT}`],
    [`{"jobId":"${JOB}"}`, `{"jobId":"${SHORT}"}`],
    [`\u001b[1m${JOB}\u001b[22m`, `\u001b[1m${SHORT}\u001b[22m`],
  ])('replace the ids of %s', (text, expected) => {
    expect(shortIdsIn(text, LENGTHS)).toBe(expected)
  })

  it.each([
    `branch muster/${JOB}`,
    `branch muster/${JOB}--t1-1`,
    `/home/ada/trees/${JOB}/src`,
    `${JOB}/src`,
    `${JOB}.tar`,
    `${JOB}x`,
    `my${JOB}`,
  ])('leave the name %s alone', (text) => {
    expect(shortIdsIn(text, LENGTHS)).toBe(text)
  })
})
