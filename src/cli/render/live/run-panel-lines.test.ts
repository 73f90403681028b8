import { beforeAll, describe, expect, it } from 'vitest'
import { playbooks, readShipped } from '../../../../test/support/run-play.ts'
import type { WireMessage, WirePlaybook, WireRun } from '../../../client/index.ts'
import { firstProgress } from '../../follow/progress.ts'
import { createPaint } from '../text/paint.ts'
import { footerLines } from './footer-lines.ts'
import { type RunPanel, runPanelLines } from './run-panel-lines.ts'

beforeAll(readShipped)

const at = '2026-01-01T00:00:00.000Z'
const now = Date.parse(at) + 62_000
const paint = createPaint(false)

const visit = (fields: Partial<WireRun['visits'][number]>): WireRun['visits'][number] => ({
  id: 'vis_1',
  ordinal: 1,
  stage: 'implement',
  round: 1,
  branch: 0,
  status: 'settled',
  tries: 1,
  answer: undefined,
  createdAt: at,
  ...fields,
})

function panelOf(name: string): RunPanel {
  const visits = [
    visit({ outcome: 'done' }),
    visit({ ordinal: 2, stage: 'check', outcome: 'pass' }),
    visit({ ordinal: 3, stage: 'review', outcome: 'NEEDS_REVISION' }),
    visit({ ordinal: 4, stage: 'revise', status: 'working' }),
  ]
  const run = {
    playbook: name,
    progress: 0.5,
    counters: { 'review.NEEDS_REVISION': 1 },
    visits,
  } as unknown as WireRun
  const message = {
    from: 'engine',
    fromRole: 'reviewer',
    to: 'role:developer',
    subject: 'review: NEEDS_REVISION',
    body: 'Handle tabs, too.\nAnd say so in the documentation.',
  } as WireMessage
  return { run, playbook: playbooks.get(name) as WirePlaybook, messages: [message, message, message] }
}

describe('runPanelLines', () => {
  it('lights the current stage, and shows outcomes, counters of loops and messages', () => {
    expect(runPanelLines(panelOf('reviewed'), { now, width: 79, room: 19, paint }).slice(0, 6)).toEqual([
      '[##########..........] 50% reviewed',
      '  o implement  done',
      '  # check      pass',
      '  o review     NEEDS_REVISION, NEEDS_REVISION 1 of 3',
      '> o revise     working 1m02s',
      'reviewer -> developer review: NEEDS_REVISION: Handle tabs, too.',
    ])
  })

  it('puts all stages on one line if there is no room for each', () => {
    expect(runPanelLines(panelOf('reviewed'), { now, width: 79, room: 4, paint })[1]).toBe(
      'implement > check > review > [revise]',
    )
  })

  it.each([
    ['reviewed', 80],
    ['reviewed', 60],
    ['development', 80],
    ['development', 60],
    ['architecture', 60],
  ])('fits %s into a terminal with %i columns and 24 rows', (name, columns) => {
    const progress = { ...firstProgress(now), run: panelOf(name) }
    const lines = footerLines(progress, now, { width: columns - 1, rows: 24 }, paint, 'Ctrl-C for options')
    expect(lines.length).toBeLessThan(24)
    expect(lines.filter((line) => line.length >= columns)).toEqual([])
  })
})
