import { describe, expect, it } from 'vitest'
import { SAMPLE_JOB_ID, sampleEvent } from '../../testing/sample-wire.ts'
import { createPaint } from '../text/paint.ts'
import { reasonLines } from '../text/reason-lines.ts'
import { eventLine } from './event-line.ts'

const COMMIT = '1a2b3c4d5e6f'
const base = { branch: 'main', commit: COMMIT }
const printed = (type: 'base_checking' | 'base_checked' | 'base_decided' | 'base_fix_ended', data: object) =>
  eventLine(sampleEvent(type, { data: { ...base, ...data } }), undefined, createPaint(false), 'normal') ?? ''

describe('the events of a base', () => {
  it('show what is checked first', () => {
    expect(printed('base_checking', { setup: ['npm ci'], checks: ['npm test'] })).toContain(
      'base   checking main at 1a2b3c4d5e first: npm ci, npm test',
    )
  })

  it('show the end of the output and the three commands if a person must decide', () => {
    const detail = `exited with code 1:\n${Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')}`
    const failures = [{ command: 'npm test', isSetup: false, detail }]
    const text = printed('base_checked', { outcome: 'failed', failures, isAsking: true })
    expect(text).toContain('waiting for you: main at 1a2b3c4d5e already fails 1 check: "npm test"')
    expect(text).toContain('line 29')
    expect(text).not.toContain('line 21\n')
    for (const choice of ['continue', 'fix', 'stop']) {
      expect(text).toContain(`muster base ${SAMPLE_JOB_ID} ${choice}`)
    }
  })

  it('show the cause that the summary of the job shows, even if it is far above the end', () => {
    const noise = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    const detail = ['check "npm test" exited with code 1:', "Cannot find module './x'", ...noise].join('\n')
    const failures = [{ command: 'npm test', isSetup: false, detail }]
    const text = printed('base_checked', { outcome: 'failed', failures })
    const [, cause = ''] = reasonLines(detail, 100)
    expect(cause).toContain('Cannot find module')
    expect(text).toContain(cause.trim())
    expect(text).toContain('line 29')
    expect(text).not.toContain('line 22\n')
  })

  it('do not say that a check fails if it passed but tracked files changed', () => {
    const detail = 'proves nothing: setup or the check changed tracked files: f1.txt'
    const failures = [{ command: 'test -d node_modules', isSetup: false, isAltered: true, detail }]
    const text = printed('base_checked', { outcome: 'failed', failures, isAsking: true })
    expect(text).toContain(
      'tracked files changed on main at 1a2b3c4d5e during setup or a check: "test -d node_modules"',
    )
    expect(text).not.toContain('already fails')
  })

  it('offer no way to continue if setup fails', () => {
    const failures = [{ command: 'npm ci', isSetup: true, detail: 'exited' }]
    const text = printed('base_checked', { outcome: 'failed', failures, isAsking: true })
    expect(text).toContain('already fails 1 setup command')
    expect(text).not.toContain('continue')
  })

  it('never say that a tolerated check passed', () => {
    const text = printed('base_decided', { decision: 'continue', commands: ['npm test'] })
    expect(text).toContain("failures of these checks aren't held against the work: npm test")
    expect(text).not.toContain('pass')
  })

  it('show whether the fix landed', () => {
    expect(printed('base_fix_ended', { landed: true })).toContain('fixed: all checks pass with the fix')
    expect(printed('base_fix_ended', { landed: false })).toContain(`muster base ${SAMPLE_JOB_ID}`)
  })
})
