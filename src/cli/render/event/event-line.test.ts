import { describe, expect, it } from 'vitest'
import { exampleLandingAction } from '../../../../test/support/example-records.ts'
import { type KnownEvent, receivedEventSchema } from '../../../contract/event.ts'
import { SETUP_STARTS } from '../../../domain/session/setup-output.ts'
import { SAMPLE_AT, SAMPLE_JOB_ID, SAMPLE_TASK_ID, sampleEvent } from '../../testing/sample-wire.ts'
import { createPaint } from '../text/paint.ts'
import { eventLine } from './event-line.ts'
import { eventWords } from './event-words.ts'
import { rawEventLine } from './raw-event-line.ts'
import { transcriptLines } from './transcript-lines.ts'

const plain = createPaint(false)
const introducer = String.fromCharCode(27)
const RAW = { seq: 1, jobId: SAMPLE_JOB_ID, at: SAMPLE_AT }
const budgetText = (data: Record<string, unknown>) =>
  eventWords(sampleEvent('budget_reached', { data }))?.text

describe('eventLine', () => {
  it('shows when, about what and what happened', () => {
    const event = sampleEvent('task_started', { data: { number: 1, description: 'Fix mean()' } })
    expect(eventLine(event, 't1-1', plain, 'normal')).toMatch(
      /^\d\d:\d\d:\d\d t1-1 {3}started: Fix mean\(\)$/,
    )
  })

  it('shows warnings at the start of a job', () => {
    const line = (data: Record<string, unknown>) =>
      eventLine(sampleEvent('job_started', { data }), undefined, plain, 'normal')
    expect(line({})).toMatch(/ started$/)
    expect(line({ warnings: ['not copied: .env'] })).toMatch(/ started; not copied: \.env$/)
  })

  it('joins the lines of what an agent says', () => {
    const event = sampleEvent('agent_message', { data: { type: 'text', text: 'reading\nwriting' } })
    expect(eventLine(event, 't1-1', plain, 'normal')).toContain('reading / writing')
  })

  it('shows tool calls only in verbose output', () => {
    const event = sampleEvent('agent_message', {
      data: { type: 'tool-call', name: 'Edit', input: { path: 'a' } },
    })
    expect(eventLine(event, 't1-1', plain, 'normal')).toBeUndefined()
    expect(eventLine(event, 't1-1', plain, 'verbose')).toContain('Edit  a')
  })

  it('removes escape sequences from agent output', () => {
    const text = `${introducer}[2Jgone${introducer}]0;owned${String.fromCharCode(7)}`
    const events = [
      sampleEvent('agent_message', { data: { type: 'text', text } }),
      sampleEvent('task_failed', { data: { error: text } }),
      sampleEvent('task_completed', { data: { summary: text } }),
      receivedEventSchema.parse({ ...RAW, type: `odd${introducer}[31m`, data: { text } }),
    ]
    for (const event of events) {
      expect(eventLine(event, 't1-1', plain, 'verbose')).not.toContain(introducer)
      expect(rawEventLine(event, 't1-1', plain)).not.toContain(introducer)
    }
  })

  it('shows which round or branch of a stage it is about', () => {
    const place = { runId: 'run_1', visitId: 'vis_1', stage: 'try', outcome: 'pass' }
    const textOf = (type: 'stage_entered' | 'stage_ended', data: Record<string, unknown>) =>
      eventWords(sampleEvent(type, { data: { ...place, ...data } }))?.text
    expect(textOf('stage_entered', { round: 1, branches: 1 })).toBe('try')
    expect(textOf('stage_entered', { round: 2, branches: 3 })).toBe('try (round 2), 3 at once')
    expect(textOf('stage_ended', { round: 1, branch: 2 })).toBe('try #2: pass')
    expect(textOf('stage_ended', { round: 2, branch: 0 })).toBe('try (round 2): pass')
  })

  it('shows why a task is blocked', () => {
    const event = sampleEvent('task_failed', { data: { status: 'blocked', error: 'conflicts in a.mjs' } })
    expect(eventLine(event, 't1-2', plain, 'normal')).toContain('blocked: conflicts in a.mjs')
  })

  it('shows why a job ended', () => {
    const ended = (reason: string) =>
      eventLine(sampleEvent('job_completed', { data: { reason } }), undefined, plain, 'normal')
    expect(ended('goal-reached')).toMatch(/job +completed: the goal is reached$/)
    const claimed = sampleEvent('job_completed', { data: { reason: 'goal-reached', unlanded: 2 } })
    expect(eventLine(claimed, undefined, plain, 'normal')).toMatch(
      /job +the planner reports that the goal is reached; 2 tasks did not land$/,
    )
    expect(ended('max-cycles-reached')).toMatch(/job +stopped at the cycle limit$/)
  })

  it('shows where the work of a personal session is, or how to get it', () => {
    const data = { role: 'worker', agent: 'ada', branch: 'muster/mine', commit: 'b'.repeat(40) }
    const line = (type: KnownEvent['type'], more: object = {}) =>
      eventLine(
        sampleEvent(type, { sessionId: 'ses_1', data: { ...data, ...more } }),
        undefined,
        plain,
        'normal',
      )
    expect(line('session_delivered')).toMatch(/its changes were delivered to branch muster\/mine$/)
    expect(line('session_undelivered', { why: 'failed', reason: 'it is checked out' })).toMatch(
      /its changes were not delivered: it is checked out\n +see: muster recover ses_1$/,
    )
  })

  it('shows that an agent waits for quota or for the person, and what was decided', () => {
    const until = '2026-01-02T23:59:00.000Z'
    const printed = (type: KnownEvent['type'], data: Record<string, unknown>) =>
      eventLine(sampleEvent(type, { data }), undefined, plain, 'normal')
    expect(printed('session_suspended', { agent: 'ada', why: 'limited', until })).toMatch(
      /ada is waiting for quota until (\d{4}-\d\d-\d\d )?\d\d:\d\d; see: muster status$/,
    )
    expect(printed('session_suspended', { agent: 'ada', why: 'asked', reason: 'lunch' })).toContain(
      'ada is suspended: lunch',
    )
    const login = { reason: 'Claude Code is not logged in', remedy: 'Run `claude` and log in' }
    expect(printed('session_suspended', { agent: 'ada', why: 'unready', ...login })).toMatch(
      /waiting for you: Claude Code is not logged in\. Run `claude` and log in\.\n +then: muster resume job_/,
    )
    expect(printed('session_suspended', { agent: 'ada', why: 'unready', ...login, until })).toMatch(
      /\(tries again at .*\d\d:\d\d\)\.?\n +to try now: muster resume job_/,
    )
    const action = {
      type: 'tool-use',
      tool: 'Bash',
      input: { command: `rm${introducer}[2J` },
      directory: '/tree',
    }
    const asked = printed('approval_requested', { agent: 'ada', approvalId: 'apr_1', action })
    expect(asked).toContain('ada wants to run: rm\\u001b[2J (unusual: has hidden characters)')
    expect(asked).toMatch(/\n +waiting for you: muster approve apr_1$/)
    expect(asked).not.toContain(introducer)
    const decision = { type: 'denied', by: 'eve', reason: 'no' }
    expect(printed('approval_decided', { approvalId: 'apr_1', decision })).toContain(
      'apr_1 denied by eve: no',
    )
  })

  it('shows a request that a rule allows on one line', () => {
    const action = { type: 'tool-use', tool: 'Bash', input: { command: 'npm test' }, directory: '/tree' }
    const rule = { ruleId: 'rul_1' }
    const asked = sampleEvent('approval_requested', { data: { approvalId: 'apr_1', action, ...rule } })
    expect(eventLine(asked, 't1-1', plain, 'normal')).toMatch(/wants to run: npm test; allowed by your rule$/)
    const data = { approvalId: 'apr_1', decision: { type: 'allowed', by: 'eve', ...rule } }
    const decided = (more: object) =>
      eventLine(sampleEvent('approval_decided', { data: { ...data, ...more } }), 't1-1', plain, 'normal')
    expect(decided({ isAtOnce: true })).toBeUndefined()
    expect(decided({})).toMatch(/apr_1 allowed by your rule$/)
  })

  it("shows an agent's own summary and true counts", () => {
    const changes = { files: 1, added: 3, removed: 0 }
    const completed = (data: Record<string, unknown>) =>
      eventLine(sampleEvent('task_completed', { data }), 't1-1', plain, 'normal')
    expect(completed({ summary: 'Wrote UNI.md.', changes })).toMatch(
      /completed: Wrote UNI\.md\. \(1 file changed, \+3 -0\)$/,
    )
    expect(completed({ summary: '1 file changed, +3 -0', changes })).toMatch(
      /completed: 1 file changed, \+3 -0$/,
    )
    expect(completed({ summary: 'it was there', changes: undefined })).toMatch(/completed: it was there$/)
  })

  it('shows why a landing waits for a person although no one asked for that', () => {
    const tasks = [{ name: 't1-1', title: 'Write UNI.md' }]
    const action = { ...exampleLandingAction(), tasks, unusual: ['it changes 600 files'] }
    const event = sampleEvent('approval_requested', {
      taskId: SAMPLE_TASK_ID,
      data: { agent: 'the merge queue', approvalId: 'apr_1', action },
    })
    const asked = eventLine(event, 't1-1', plain, 'normal')
    expect(asked).toContain(' t1-1   "Write UNI.md" wants to land (unusual: it changes 600 files)')
    expect(asked?.split('\n').map((line) => line.trim())).toEqual([
      expect.any(String),
      'waiting for you: muster diff apr_1',
      'then: muster approve apr_1',
      'or:   muster deny apr_1',
    ])
  })

  it('shows the command that helps with a limit or with a long setup, and completes it', () => {
    const hint = (text: string) => text.replace('muster', 'muster --home /h')
    const reason = '4 of 4 sessions of this project are running'
    const limit = { number: 1, limit: 'project', value: 4, inUse: 4, reason }
    const held = eventLine(sampleEvent('task_waiting', { data: limit }), 't1-1', plain, 'normal')
    expect(held).toMatch(/is waiting: 4 of 4 [a-z ]+ are running\n {16}see: muster status$/)
    const setup = sampleEvent('agent_message', {
      sessionId: 'ses_1',
      data: { type: 'error-output', text: SETUP_STARTS },
    })
    expect(eventLine(setup, 't1-1', plain, 'normal', hint)).toMatch(
      /running setup in its tree; see: muster --home \/h logs ses_1 -f$/,
    )
  })

  it('shows how many tasks were planned once', () => {
    const text = JSON.stringify({ tasks: [{ description: 'x' }] })
    const answer = sampleEvent('agent_message', { cycle: 1, data: { type: 'text', role: 'planner', text } })
    expect(eventLine(answer, undefined, plain, 'normal')).toBeUndefined()
    expect(eventLine(answer, undefined, plain, 'verbose')).toContain('planned 1 task')
    expect(transcriptLines(answer, undefined, plain)).toEqual(['[plan1] planned 1 task'])
  })

  it('shows whether a task starts again after a failure', () => {
    const printed = (data: Record<string, unknown>) =>
      eventLine(sampleEvent('task_started', { data: { description: 'x', ...data } }), 't1-1', plain, 'normal')
    expect(printed({ attempt: 1 })).toMatch(/ started: x$/)
    expect(printed({ attempt: 2 })).toMatch(/ started again \(attempt 2\): x$/)
  })

  it('blames the batch, not one task, for a check that failed once', () => {
    const data = { check: 'make', again: 'failed', together: 3 }
    const printed = eventLine(sampleEvent('landing_checking', { data }), 't1-4', plain, 'normal')
    expect(printed).toContain('the batch of 3 failed once; running again')
  })

  it('labels events about the base branch, and shows the edit that a cycle applies', () => {
    const base = sampleEvent('landing_rejected', { cycle: 2, data: { base: 'main', reason: 'conflicts' } })
    expect(eventLine(base, undefined, plain, 'normal')).toMatch(/ base {3}did not land: conflicts$/)
    const taken = (cycle: number) =>
      sampleEvent('document_applied', { cycle, data: { kind: 'goal', number: cycle, cycle } })
    expect(eventLine(taken(3), undefined, plain, 'normal')).toMatch(
      / c3 +applies the edited goal \(version 3\)$/,
    )
    expect(eventLine(taken(1), undefined, plain, 'normal')).toBeUndefined()
    expect(eventLine(taken(1), undefined, plain, 'verbose')).toMatch(/ c1 +applies the goal$/)
    const afterFix = sampleEvent('document_applied', {
      cycle: 2,
      data: { kind: 'goal', number: 1, cycle: 2 },
    })
    expect(eventLine(afterFix, undefined, plain, 'normal')).toBeUndefined()
    expect(eventLine(afterFix, undefined, plain, 'verbose')).toMatch(/ c2 +applies the goal$/)
  })

  it('shows until when a job waits for its daily budget', () => {
    const until = new Date(2030, 0, 2).toISOString()
    expect(budgetText({ day: true, until, spentUsd: 2.1, budgetUsd: 2 })).toBe(
      'waiting until 2030-01-02 00:00: the daily budget of $2.00 is spent; nothing new starts',
    )
  })

  it('shows that the rest of a budget is not enough for another attempt', () => {
    const meanUsd = { worker: 0.4 }
    expect(budgetText({ spentUsd: 0.8, budgetUsd: 1, meanUsd, role: 'worker' })).toBe(
      'budget reached: $0.80 of $1.00 ($0.20 is left, and an attempt costs $0.40 on average); nothing new starts',
    )
    expect(budgetText({ spentUsd: 1.1, budgetUsd: 1, meanUsd })).toBe(
      'budget reached: $1.10 of $1.00; nothing new starts',
    )
  })

  it('shows events of unknown types only in verbose output', () => {
    const event = receivedEventSchema.parse({ ...RAW, type: 'moon_rose', data: { phase: 'full' } })
    expect(eventLine(event, undefined, plain, 'normal')).toBeUndefined()
    expect(eventLine(event, undefined, plain, 'verbose')).toContain('moon_rose')
    expect(rawEventLine(event, undefined, plain)).toMatch(/ moon_rose +\{"phase":"full"\}$/)
  })

  it('shows an event with unreadable data as it was sent', () => {
    const event = receivedEventSchema.parse({ ...RAW, type: 'task_started', data: { number: 'one' } })
    expect(eventLine(event, undefined, plain, 'normal')).toBeUndefined()
    expect(rawEventLine(event, undefined, plain)).toContain('{"number":"one"}')
  })
})

it('says that the result of a base check is known from an earlier one', () => {
  const data = { branch: 'main', commit: 'a'.repeat(40), outcome: 'passed', isKnown: true }
  const line = eventLine(sampleEvent('base_checked', { data }), undefined, plain, 'normal')
  expect(line).toMatch(/main at a{10} passes \(known from an earlier check, so nothing was run\)$/)
})

describe('the results of tools in a transcript', () => {
  const lines = (data: object, detail: 'normal' | 'verbose' = 'normal') => {
    const event = sampleEvent('agent_message', { data: { type: 'tool-result', name: 'Bash', ...data } })
    return transcriptLines(event, 't1-1', plain, new Set(), (text) => text, detail)
  }

  it('start with the reason of a failure, wherever the program reports it', () => {
    const shown = ['[t1-1] ! Bash failed with exit code 3: not ok', '[t1-1] !     at line 2']
    const printed = `not ok\n\n${introducer}[31m  at line 2\n`
    expect(lines({ failed: true, output: { exitCode: 3, output: printed } })).toEqual(shown)
    expect(lines({ failed: true, output: { output: printed, metadata: { exit: 3 } } })).toEqual(shown)
    expect(lines({ failed: true, output: [{ type: 'text', text: 'gone' }] })).toEqual([
      '[t1-1] ! Bash failed: gone',
    ])
    expect(lines({ failed: true, output: { error: 'denied' } })).toEqual(['[t1-1] ! Bash failed: denied'])
    expect(lines({ failed: true, output: { status: 7 } })).toEqual(['[t1-1] ! Bash failed: {"status":7}'])
  })

  it('are cut after a few lines, and long lines too', () => {
    const output = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(300)}`).join('\n')
    const shown = lines({ failed: true, output })
    expect(shown).toHaveLength(7)
    expect(shown.at(-1)).toBe('[t1-1] !   … 14 more lines')
    for (const line of shown) expect(line.length).toBeLessThan(200)
  })

  it('are all shown in verbose output, and only then', () => {
    expect(lines({ output: 'a.txt\nb.txt' })).toEqual([])
    expect(lines({ output: 'a.txt\nb.txt' }, 'verbose')).toEqual(['[t1-1] = Bash: a.txt', '[t1-1] =   b.txt'])
    expect(lines({ output: '' }, 'verbose')).toEqual(['[t1-1] = Bash'])
  })
})

describe('transcriptLines', () => {
  it('puts the name of the task before every line', () => {
    const event = sampleEvent('agent_message', { data: { type: 'text', text: 'one\n\ntwo' } })
    expect(transcriptLines(event, 't1-2', plain)).toEqual(['[t1-2] one', '[t1-2] two'])
  })

  it('shows the reasoning instead of the JSON that answers a discovery, for any role', () => {
    const text = JSON.stringify({ tasks: [{ description: 'x' }], reasoning: 'one thing is left' })
    const event = sampleEvent('agent_message', { cycle: 1, data: { type: 'text', role: 'scout', text } })
    expect(transcriptLines(event, undefined, plain)).toEqual(['[plan1] one thing is left'])
  })

  describe('the JSON that answers the engine about a task', () => {
    const issues = [
      { severity: 'major', location: 'a.ts:3', issue: 'no test', suggestion: 'add one' },
      { issue: 'a typo' },
    ]
    const said = (text: string) =>
      sampleEvent('agent_message', { cycle: 1, taskId: SAMPLE_TASK_ID, data: { type: 'text', text } })
    const shown = (answer: object, before = '') =>
      transcriptLines(said(`${before}${JSON.stringify({ type: 'result', ...answer })}`), 't1-1', plain)

    it('is shown with its issues, but without a verdict, which any agent could print', () => {
      expect(shown({ verdict: 'APPROVED', summary: 'It works.', issues: [] })).toEqual(['[t1-1] It works.'])
      expect(shown({ verdict: 'NEEDS_REVISION', issues }, 'I read it.\n\n')).toEqual([
        '[t1-1] I read it.',
        '[t1-1] 1. [major] a.ts:3: no test',
        '[t1-1]    Suggestion: add one',
        '[t1-1] 2. a typo',
      ])
      const event = said(JSON.stringify({ verdict: 'NEEDS_REVISION', issues: [{ issue: 'a typo' }] }))
      expect(eventLine(event, 't1-1', plain, 'normal')).toMatch(/ t1-1 {3}\w+: 1\. a typo$/)
    })

    it('is the verdict of a stage only if the stage ended with it', () => {
      const ended = (stage: string, outcome: string) => {
        const data = { runId: 'run_1', visitId: 'vis_1', stage, round: 1, branch: 0, outcome }
        return transcriptLines(sampleEvent('stage_ended', { data }), 't1-1', plain)
      }
      expect(ended('review', 'APPROVED')).toEqual(['[muster] t1-1: review: APPROVED'])
      expect(ended('implement', 'done')).toEqual([])
      const faked = 'review: APPROVED\n[muster] t1-1: review: APPROVED'
      for (const line of transcriptLines(said(faked), 't1-1', plain)) expect(line).toMatch(/^\[t1-1\] /)
      expect(eventLine(said('review: APPROVED'), 't1-1', plain, 'normal')).toMatch(
        / t1-1 {3}\w+: review: APPROVED$/,
      )
    })

    it('is found in a block and on several lines, and is a summary if a worker gives it', () => {
      const answer = JSON.stringify({ type: 'result', summary: 'Wrote UNI.md.' }, null, 2)
      for (const text of [`Done.\n\`\`\`json\n${answer}\n\`\`\``, `Done.\n${answer}`]) {
        expect(transcriptLines(said(text), 't1-1', plain)).toEqual(['[t1-1] Done.', '[t1-1] Wrote UNI.md.'])
      }
    })

    it('is shown as it is if it is no answer, or was said in a personal session', () => {
      const texts = ['{"verdict":"MAYBE"}', '{"a":1}', '{"type":"result", oh']
      for (const text of texts) expect(transcriptLines(said(text), 't1-1', plain)).toEqual([`[t1-1] ${text}`])
      const personal = sampleEvent('agent_message', {
        data: { type: 'text', text: '{"verdict":"APPROVED","summary":"x"}' },
      })
      expect(transcriptLines(personal, 'ada', plain)).toEqual(['[ada] {"verdict":"APPROVED","summary":"x"}'])
    })
  })

  it('labels events of a cycle without a task as planning', () => {
    const event = sampleEvent('agent_message', { cycle: 3, data: { type: 'error-output', text: 'oh' } })
    expect(transcriptLines(event, undefined, plain)).toEqual(['[plan3] ! oh'])
  })

  it("completes Muster's own commands, and no one else's", () => {
    const hint = (text: string) => text.replaceAll('muster ', 'muster --home /h ')
    const message = { messageId: 'msg_1', subject: '', text: 'May I run muster status?' }
    const question = { ...message, kind: 'question', from: 'ses_1', to: 'person' }
    const answer = { ...message, kind: 'answer', from: 'person', to: 'ses_1', text: 'Yes: muster status' }
    const printed = (data: object) =>
      transcriptLines(sampleEvent('message_sent', { data: { ...data } }), 't1-1', plain, new Set(), hint)
    expect(printed(question)).toEqual([
      '[t1-1] ? asks: May I run muster status?',
      '[t1-1] ?   waiting for you: muster --home /h answer msg_1 "..."',
    ])
    expect(printed(answer)).toEqual(['[t1-1] > Yes: muster status'])
    const live = eventLine(sampleEvent('message_sent', { data: question }), 't1-1', plain, 'normal', hint)
    expect(live).toMatch(/asks: May I run muster status\?\n +waiting for you: muster --home \/h answer msg_1/)
  })

  it('marks the output of setup commands, across events', () => {
    const inSetup = new Set<string>()
    const printed = (text: string, sessionId = 'ses_1') =>
      transcriptLines(
        sampleEvent('agent_message', { sessionId, data: { type: 'error-output', text } }),
        't1-2',
        plain,
        inSetup,
      )
    expect(printed('muster: running setup\nadded 3 packages')).toEqual(['[t1-2] setup: added 3 packages'])
    expect(printed('oh', 'ses_2')).toEqual(['[t1-2] ! oh'])
    expect(printed('muster: setup command 2 of 2')).toEqual(['[t1-2] setup: command 2 of 2'])
    expect(printed('done\n\nmuster: setup finished\noh')).toEqual(['[t1-2] setup: done', '[t1-2] ! oh'])
  })
})
