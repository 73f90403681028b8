import { describe, expect, it } from 'vitest'
import { firstProgress, type Progress } from '../../follow/progress.ts'
import { createPaint } from '../text/paint.ts'
import { footerLines } from './footer-lines.ts'

const NOW = 723_000
const progress: Progress = {
  ...firstProgress(0),
  cycle: 1,
  phase: 'execution',
  planned: 3,
  costUsd: 0.25,
  active: [
    {
      key: 'tsk_1',
      name: { label: 't1-1', description: 'Write the parser of the configuration file' },
      agent: 'claude',
      since: 0,
      doing: 'running setup in its tree',
    },
  ],
}
const wait = { type: 'question', id: 'msg_1', from: 'ses_1', words: 't1-1 asks: which one?' } as const

/** The footer in a terminal with this many columns. */
const footer = (columns: number, shown = progress) =>
  footerLines(shown, NOW, { width: columns - 1 }, createPaint(false), 'Ctrl-C for options')

it('leaves out parts of the first line that do not fit instead of cutting them', () => {
  const waiting = { ...progress, waiting: [wait] }
  expect(footer(80)[0]).toMatch(/ · Ctrl-C for options$/)
  expect(footer(100, waiting)[0]).toMatch(/ · 1 waiting for you · Ctrl-C for options$/)
  expect(footer(80, waiting)[0]).toMatch(/ · \$0\.25 · Ctrl-C for options$/)
  expect(footer(60, { ...waiting, failed: 1 })[0]).toMatch(/ · 0 of 3 landed · 1 not landed$/)
})

it('shows what a task does only if there is room for more than a word of it', () => {
  expect(footer(80)[1]).toContain('running setup in its…')
  expect(footer(60)[1]).toMatch(/claude Write the parser of the configuration/)
  expect(footer(60)[1]).not.toContain('setup')
})

describe('a request that waits for the person', () => {
  const asked = (words: string, asks: 'tool-use' | 'landing' | 'gate' = 'tool-use'): Progress => ({
    ...progress,
    active: [],
    waiting: [{ type: 'approval', id: 'apr_1', digest: 'd', asks, words }],
  })

  it('is shown whole if it needs a few lines', () => {
    const words = `t1-1 wants to run: git commit -m 'Add TWO.md and say what it is for' && git push ${'x'.repeat(70)}`
    const [, ...lines] = footer(60, asked(words))
    expect(lines.slice(0, 4)).toEqual([
      "t1-1 wants to run: git commit -m 'Add TWO.md and say what",
      "  it is for' && git push",
      `  ${'x'.repeat(57)}`,
      'x'.repeat(13),
    ])
  })

  it('is numbered if it is one of several, and counted once if the job waits for nothing else', () => {
    const { waiting } = asked('t1-1 wants to land')
    expect(footer(80, { ...progress, active: [], waiting: [...waiting, wait] })[1]).toBe(
      '1 of 2: t1-1 wants to land',
    )
    const [head] = footer(100, { ...progress, phase: 'waiting for you', waiting })
    expect(head?.match(/waiting for you/g)).toHaveLength(1)
  })

  it('says that it is cut if it is longer', () => {
    const words = `t1-1 wants to run: ${Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')}`
    const [, ...lines] = footer(80, asked(words))
    expect(lines[3]).toBe('… (this is not all of it: v shows the rest)')
    expect(lines[4]).toMatch(/^ {2}a allow/)
  })

  it('offers scopes only where they apply, and cuts no key', () => {
    const keys = (columns: number, asks: 'tool-use' | 'landing' | 'gate') =>
      footer(columns, asked('?', asks)).slice(2)
    expect(keys(80, 'tool-use')).toEqual([
      '  a allow · j always in this job · s all alike in this session · d deny',
      '  r deny with a reason · v view',
    ])
    for (const asks of ['landing', 'gate'] as const)
      expect(keys(80, asks)).toEqual(['  a allow · d deny · r deny with a reason · v view'])
    expect(keys(40, 'tool-use').every((line) => line.length < 40)).toBe(true)
  })
})
