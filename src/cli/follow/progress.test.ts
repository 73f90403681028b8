import { expect, it } from 'vitest'
import { SAMPLE_TASK_ID, sampleEvent } from '../testing/sample-wire.ts'
import { firstProgress, nextProgress } from './progress.ts'

it('shows that setup runs, without the name of the program that says so', () => {
  const place = { taskId: SAMPLE_TASK_ID }
  const name = { label: 't1-1', description: 'Grow a tree' }
  const begun = sampleEvent('task_started', {
    ...place,
    data: { title: 'Grow a tree', agent: 'ada', attempt: 1 },
  })
  const said = sampleEvent('task_progress', {
    ...place,
    data: { source: 'agent', message: 'muster: running setup\n' },
  })
  const printed = sampleEvent('agent_message', {
    ...place,
    data: { type: 'error-output', text: 'muster: running setup\n' },
  })
  for (const event of [said, printed]) {
    const progress = nextProgress(nextProgress(firstProgress(0), begun, name), event, name)
    expect(progress.active.map(({ doing }) => doing)).toEqual(['running setup'])
  }
})

it('no longer waits for the person once a question is answered elsewhere', () => {
  const place = { taskId: SAMPLE_TASK_ID }
  const name = { label: 't1-1', description: 'Grow a tree' }
  const message = {
    threadId: 'one',
    subject: 'colour',
    isCut: false,
  }
  const events = [
    sampleEvent('task_started', { ...place, data: { title: 'Grow a tree', agent: 'ada', attempt: 1 } }),
    sampleEvent('message_sent', {
      ...place,
      data: { ...message, messageId: 'msg_1', kind: 'question', from: 'ses_1', to: 'person', text: 'red?' },
    }),
    sampleEvent('message_sent', {
      ...place,
      data: {
        ...message,
        messageId: 'msg_2',
        kind: 'answer',
        from: 'person',
        to: 'ses_1',
        text: 'yes',
        inReplyTo: 'msg_1',
      },
    }),
  ]
  const shown = events.map((_, index) =>
    events.slice(0, index + 1).reduce((before, event) => nextProgress(before, event, name), firstProgress(0)),
  )
  expect(shown.map(({ waiting, active }) => [waiting.length, active[0]?.doing])).toEqual([
    [0, ''],
    [1, 'waiting for you'],
    [0, 'continues'],
  ])
})

it('shows the phase of a paused job again when the job is resumed', () => {
  const phase = sampleEvent('cycle_phase', { cycle: 1, data: { phase: 'execution' } })
  const paused = sampleEvent('job_paused', { data: { cycle: 1 } })
  const resumed = sampleEvent('job_resumed', { data: { cycle: 1 } })
  const phases = [phase, paused, resumed].map((_, index, events) =>
    events
      .slice(0, index + 1)
      .reduce((progress, event) => nextProgress(progress, event, undefined), firstProgress(0)),
  )
  expect(phases.map((progress) => progress.phase)).toEqual(['working', 'paused', 'working'])
})

it('shows the stage of a run, and no planner where there is none', () => {
  const place = { taskId: SAMPLE_TASK_ID, cycle: 1 }
  const name = { label: 't1-1', description: 'Grow a tree' }
  const events = [
    sampleEvent('cycle_started', { cycle: 1, data: { phase: 'execution' } }),
    sampleEvent('run_started', { ...place, data: { runId: 'run_1', playbook: 'reviewed' } }),
    sampleEvent('stage_entered', {
      ...place,
      data: { runId: 'run_1', stage: 'implement', round: 1, branches: 1 },
    }),
  ]
  const progress = events.reduce((before, event) => nextProgress(before, event, name), firstProgress(0))
  expect(progress).toMatchObject({ phase: 'working', active: [{ name, doing: 'implement' }] })
  const spoke = sampleEvent('agent_message', {
    ...place,
    data: { agent: 'ada', role: 'developer', type: 'text', text: 'planted' },
  })
  const ended = sampleEvent('stage_ended', {
    ...place,
    data: { runId: 'run_1', visitId: 'vis_1', stage: 'implement', round: 1, branch: 0, outcome: 'done' },
  })
  const working = nextProgress(progress, spoke, name)
  expect(working.active).toMatchObject([{ agent: 'developer ada', doing: 'planted' }])
  expect(nextProgress(working, ended, name).active[0]).not.toHaveProperty('agent')
})
