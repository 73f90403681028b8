import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../support/model-server/request-log.ts'
import { script } from '../support/model-server/step.ts'
import { processesWith } from '../support/processes.ts'
import { take } from '../support/take.ts'
import { until } from '../support/test-daemon.ts'
import type { AgentProgram } from './agent-program.ts'
import { commit } from './commit.ts'
import { openWorkshop, type Work, type Workshop } from './workshop.ts'

const PATIENCE_MS = 120_000

/** Tests a whole job: the daemon, the session host with its sandbox, the real program and the scripted model. */
export function describeWork(name: string, program: AgentProgram): void {
  describe(`${name} in a job`, () => {
    let workshop: Workshop

    beforeAll(async () => {
      workshop = await openWorkshop(program)
    })
    afterAll(async () => {
      await workshop[Symbol.asyncDispose]()
    })

    it('lands its commit', async () => {
      await using work = await workshop.start([commit('hello.txt'), { text: 'It is done.' }])
      const { workingBranch } = await work.done()
      expect(await work.repository.git('show', `${workingBranch}:hello.txt`)).toBe('hello.txt')
      expect(await work.session()).toMatchObject({ status: 'terminated', ending: 'done', processNumber: 1 })
    })

    it('remembers the conversation in a new process after it was suspended', async () => {
      await using work = await workshop.start([
        commit('one.txt'),
        { ...commit('two.txt'), hang: 1 },
        { text: 'It is done.' },
      ])
      await asked(workshop, work, (request) => request.step === 1)
      const { id } = await work.session()
      take(await workshop.daemon().client.suspendSession(id))
      await work.sessionWhen((session) => session.suspended?.hasExited === true)
      expect(await processesWith(id, [workshop.daemon().pid])).toEqual([])
      take(await workshop.daemon().client.resumeSession(id))
      const { workingBranch } = await work.done()
      expect(await work.repository.git('show', `${workingBranch}:two.txt`)).toBe('two.txt')
      expect(await work.session()).toMatchObject({ id, ending: 'done', processNumber: 2 })
      // The new process sent one more request, which still contained the earlier call.
      const again = workshop.model.requests().filter((request) => isOf(work, request) && request.step === 1)
      expect(again.length).toBeGreaterThanOrEqual(2)
    })

    it('is interrupted in a turn that hangs, and follows the next message', async () => {
      await using work = await workshop.start([{ text: 'one moment', hang: true }])
      await asked(workshop, work, () => true)
      const { id } = await work.session()
      take(await workshop.daemon().client.interruptSession(id))
      await work.sessionWhen((session) => session.turn?.type === 'interrupted')
      const next = script([commit('next.txt'), { text: 'It is done.' }])
      take(await workshop.daemon().client.say(id, next))
      const { workingBranch } = await work.done()
      expect(await work.repository.git('show', `${workingBranch}:next.txt`)).toBe('next.txt')
    })

    it('does what is allowed and not what is denied', async () => {
      const params = program.asking
      await using work = await workshop.start(
        [{ ...commit('yes.txt'), params }, { ...commit('no.txt'), params }, { text: 'as you wish' }],
        'ask',
      )
      const { client } = workshop.daemon()
      const first = await work.question()
      expect(JSON.stringify(first.action)).toContain('yes.txt')
      take(await client.allowApproval(first.id))
      await until(async () => (await work.question()).id !== first.id, PATIENCE_MS)
      const second = await work.question()
      expect(JSON.stringify(second.action)).toContain('no.txt')
      take(await client.denyApproval(second.id, { reason: 'this file is not wanted' }))
      const { workingBranch } = await work.done()
      const files = await work.repository.git('ls-tree', '--name-only', workingBranch)
      expect(files.split('\n')).toContain('yes.txt')
      expect(files.split('\n')).not.toContain('no.txt')
    })

    it('continues if the daemon is killed in the middle of its turn', async () => {
      await using work = await workshop.start([
        commit('one.txt'),
        { ...commit('two.txt'), delayMs: 2_000 },
        { text: 'It is done.', delayMs: 2_000 },
      ])
      await asked(workshop, work, (request) => request.step === 1)
      await workshop.killDaemon()
      await asked(workshop, work, (request) => request.step === 2)
      await workshop.killDaemon()
      const { workingBranch } = await work.done()
      const subjects = (await work.repository.git('log', '--format=%s', workingBranch)).split('\n')
      expect(subjects.filter((subject) => subject.startsWith('Add '))).toEqual(['Add two.txt', 'Add one.txt'])
      expect(await work.session()).toMatchObject({ ending: 'done', processNumber: 1 })
      const requests = workshop.model.requests().filter((request) => isOf(work, request))
      expect(requests.map(({ step }) => step)).toEqual([0, 1, 2])
    })

    it('still waits for a decision if the daemon is killed meanwhile', async () => {
      const step = { ...commit('asked.txt'), params: program.asking }
      await using work = await workshop.start([step, { text: 'It is done.' }], 'ask')
      const question = await work.question()
      await workshop.killDaemon()
      expect((await work.question()).id).toBe(question.id)
      take(await workshop.daemon().client.allowApproval(question.id, { digest: question.digest }))
      const { workingBranch } = await work.done()
      expect(await work.repository.git('show', `${workingBranch}:asked.txt`)).toBe('asked.txt')
      expect(await work.session()).toMatchObject({ ending: 'done', processNumber: 1 })
    })

    it('is parked while it is out of quota, and then does its work', async () => {
      await using work = await workshop.start([
        { ...commit('late.txt'), error: program.limit },
        { text: 'It is done.' },
      ])
      const suspended = await work.sessionWhen((session) => session.suspended?.why === 'limited')
      const { workingBranch } = await work.done()
      expect(await work.repository.git('show', `${workingBranch}:late.txt`)).toBe('late.txt')
      const session = await work.session()
      expect(session).toMatchObject({ id: suspended.id, ending: 'done' })
      expect(session.processNumber).toBeGreaterThan(1)
      const answered = workshop.model.requests().find((request) => isOf(work, request) && request.step === 1)
      expect(answered).toBeDefined()
    })

    it('leaves no process behind when it is stopped, not even a detached one', async () => {
      const shell = 'setsid tail -f "$PWD/README.md" & tail -f "$PWD/README.md"'
      await using work = await workshop.start([{ shell }, { text: 'never' }])
      const { id } = await work.session()
      const others = [workshop.daemon().pid]
      await until(async () => (await tails(id, others)).length >= 2, PATIENCE_MS)
      const tree = /(\S+)\/README\.md/.exec((await tails(id, others))[0] ?? '')?.[1] ?? ''
      expect(await processesWith(tree, others)).not.toEqual([])
      take(await workshop.daemon().client.stopSession(id))
      await work.sessionWhen((session) => session.id === id && session.status === 'terminated')
      expect(await processesWith(tree, others)).toEqual([])
      expect(await processesWith(id, others)).toEqual([])
    })
  })
}

function isOf(work: Work, request: ModelRequest): boolean {
  return request.tools.length > 0 && request.messages.some(({ text }) => text.includes(work.script))
}

function asked(
  workshop: Workshop,
  work: Work,
  isWanted: (request: ModelRequest) => boolean,
): Promise<ModelRequest> {
  return workshop.model.waitFor(
    (request) => isOf(work, request) && isWanted(request),
    AbortSignal.timeout(PATIENCE_MS),
  )
}

async function tails(mark: string, except: readonly number[]): Promise<readonly string[]> {
  return (await processesWith(mark, except)).filter((line) => line.startsWith('tail '))
}
