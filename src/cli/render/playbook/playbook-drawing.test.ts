import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../../adapters/playbooks/folder/read-folder.ts'
import type { WireValidPlaybook } from '../../../client/index.ts'
import { createPaint } from '../text/paint.ts'
import { drawPlaybook } from './playbook-drawing.ts'
import { mermaidOf } from './playbook-mermaid.ts'
import { stageOrder } from './stage-order.ts'

const paint = createPaint(false)
const SHIPPED = readdirSync('playbooks').filter((name) => name !== 'builtin')

async function shipped(name: string): Promise<WireValidPlaybook> {
  const directory = `playbooks/${name}`
  const read = await readFolder(directory, 'playbooks/builtin')
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const { playbook, review, hash } = read.value
  const { visitBound } = review
  return { type: 'valid', place: 'shipped', name, directory, playbook, warnings: [], visitBound, hash }
}

describe('a drawing', () => {
  it('shows the flow, then inputs, roles and limits', async () => {
    const lines = drawPlaybook(await shipped('reviewed'), { paint, columns: 60 })
    expect(`\n${lines.join('\n')}\n`).toBe(`
reviewed  shipped with Muster
One developer, the project's checks, and a reviewer of
another model family.

  o implement  developer, output change, 60 min
  |   done    -> check
  |   failed  -> end.failed
  |
  # check  CHECKS of the project
  |   pass  -> review
  |   fail  -> revise, up to 2 times, then end.partial
  |
  o review  reviewer, output review, 20 min
  |   APPROVED        -> end.land
  |   NEEDS_REVISION  -> revise, up to 3 times, then
  |                      end.partial
  |   REJECTED        -> end.partial
  |   failed          -> end.unverified
  |
  o revise  developer, output change, 30 min
      done    <- back to check
      failed  -> end.partial

inputs
  goal  text, required

roles
  developer  mode write; agents developer, worker; keeps its
             session
  reviewer   mode read; agents reviewer; another model
             family than developer

limits
  time     120 minutes
  at once  1 session
  visits   at most 18 in one run
`)
  })

  it.each(SHIPPED.flatMap((name) => [80, 60].map((columns) => [name, columns] as const)))(
    'fits all stages of %s into %i columns',
    async (name, columns) => {
      const view = await shipped(name)
      const lines = drawPlaybook(view, { paint, columns })
      expect(lines.filter((line) => line.length > columns)).toEqual([])
      const stages = Object.keys(view.playbook.stages)
      expect(new Set(stageOrder(view.playbook))).toEqual(new Set(stages))
      expect(lines.filter((line) => /^ {2}[o#?<+] /.test(line))).toHaveLength(stages.length)
    },
  )

  it('keeps what a stage does apart from its outcomes in a narrow terminal', async () => {
    const text = drawPlaybook(await shipped('development'), { paint, columns: 60 }).join('\n')
    // What a stage does continues further right than its outcomes begin.
    expect(text).toMatch(
      /\n {2}\? design_gate {2}GATE: .*\n(?: {2}\| {9}\S.*\n)+ {2}\| {3}allowed {2}-> implementation\n/,
    )
  })

  it('makes gates, checks and choices look different', async () => {
    const text = drawPlaybook(await shipped('development'), { paint }).join('\n')
    expect(text).toContain('  ? design_gate  GATE: a person answers "Build this design?" within 72 hours')
    expect(text).toContain('  # check  CHECKS of the project')
    expect(text).toContain('  |   -> architecture if inputs.design is always')
  })
})

it('draws each stage after those that lead to it', async () => {
  const { playbook } = await shipped('research')
  expect(stageOrder(playbook).join(' ')).toBe(
    'questions initial_research verification deep_dive re_verification synthesis citations completeness',
  )
})

describe('a Mermaid flowchart', () => {
  it('has every stage, end and route', async () => {
    const { playbook } = await shipped('solo')
    expect(`\n${mermaidOf(playbook).join('\n')}\n`).toBe(`
flowchart TD
  start([start]) --> s1
  s1["implement<br/>developer, output change, 60 min"]
  s2[["check<br/>CHECKS of the project"]]
  end_failed([end.failed])
  end_land([end.land])
  end_partial([end.partial])
  s1 -->|"done"| s2
  s1 -->|"failed"| end_failed
  s2 -->|"pass"| end_land
  s2 -->|"fail"| end_partial
`)
  })

  it('shows both ways of a route with a limit', async () => {
    const lines = mermaidOf((await shipped('reviewed')).playbook)
    expect(lines).toContain('  s3 -->|"NEEDS_REVISION, up to 3 times"| s4')
    expect(lines).toContain('  s3 -->|"NEEDS_REVISION, after that"| end_partial')
  })

  it('escapes what would end a label', async () => {
    const { playbook } = await shipped('development')
    expect(mermaidOf(playbook).join('\n')).toContain('answers #34;Build this design?#34; within')
  })
})
