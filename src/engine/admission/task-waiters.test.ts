import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import { taskWaiters } from './task-waiters.ts'

describe('a task for which the planner named an agent', () => {
  const { plan } = exampleJob()
  const others = [
    { name: 'ann', provider: 'command', roles: ['worker'], env: [] },
    { name: 'rev', provider: 'command', roles: ['reviewer'], env: [] },
    { name: 'any', provider: 'command', roles: [], env: [] },
  ]
  const job = exampleJob({
    plan: { ...plan, agents: [...plan.agents, ...others] },
    state: { type: 'running', pausing: false },
  })

  it.each([
    ['goes to that agent if it can do tasks', 'ann', 'ann'],
    ['goes to that agent if it lists no roles', 'any', 'any'],
    ["goes to the job's worker if that agent has another role", 'rev', 'one'],
    ["goes to the job's worker if there is no such agent", 'nosuch', 'one'],
  ])('%s', (_, agent, chosen) => {
    const task = exampleTask(exampleCycle(job), { agent })
    const [waiter] = taskWaiters(job, [task], new Map(), new Date())
    expect(waiter?.request.agent.name).toBe(chosen)
  })
})
