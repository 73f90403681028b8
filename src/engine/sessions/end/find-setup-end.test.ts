import { describe, expect, it } from 'vitest'
import { exampleJob, exampleSession, ids } from '../../../../test/support/example-records.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import type { PlanNeeds } from '../purposes/session-plan.ts'
import { findSetupEnd } from './find-setup-end.ts'

const settings: Partial<EngineSettings> = { treesDirectory: '/trees' }
// A personal session has its setup in its own row: no other row is read.
const needs = { settings } as unknown as PlanNeeds
const words = (text: string) => () => Promise.resolve(text)
const exited = (code: number) => ({ type: 'exited', code }) as const

const sessionWith = (setup: readonly string[]) =>
  exampleSession(exampleJob(), {
    purpose: {
      type: 'personal',
      projectId: ids.next('project'),
      repositoryPath: '/nowhere',
      baseCommit: 'a'.repeat(40),
      branch: 'muster/mine',
      agent: { name: 'one', provider: 'command', roles: [], env: [] },
      sandbox: USUAL_SANDBOX,
      setup,
      prompt: '',
    },
  })

describe('the end of a setup that failed', () => {
  const session = sessionWith(['npm ci', 'make all'])

  it('names the command and its status', async () => {
    const said = 'npm ERR\n\nmuster: setup command 2 failed with status 4\n'
    expect(await findSetupEnd(needs, session, exited(97), words(said))).toEqual({
      type: 'unprepared',
      command: 'make all',
      code: 4,
    })
  })

  it('is not seen in another status, other words, a resumed session, or where nothing was set up', async () => {
    const said = 'muster: setup command 1 failed with status 4\n'
    const seen = [
      await findSetupEnd(needs, session, exited(0), words(said)),
      await findSetupEnd(needs, session, exited(97), words(`${said}bye\n`)),
      await findSetupEnd(needs, session, exited(97), words(said.replace('1', '3'))),
      await findSetupEnd(needs, { ...session, processNumber: 2 }, exited(97), words(said)),
      await findSetupEnd(needs, sessionWith([]), exited(97), words(said)),
    ]
    expect(seen).toEqual([exited(0), exited(97), exited(97), exited(97), exited(97)])
  })
})
