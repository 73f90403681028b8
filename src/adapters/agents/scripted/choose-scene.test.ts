import { describe, expect, it } from 'vitest'
import { plannerPrompt } from '../../../engine/prompts/planner-prompt.ts'
import { workerPrompt } from '../../../engine/prompts/worker-prompt.ts'
import { chooseScene, describeOccasion, taskOfPrompt } from './choose-scene.ts'
import type { Cue, Scene } from './script.ts'

const OCCASION = {
  role: 'worker',
  cycle: 2,
  attempt: 1,
  stage: 'review',
  round: 2,
  task: 'Write the parser\nfor numbers',
}

function plays(when: Cue | undefined): boolean {
  const scene: Scene = { when, steps: [] }
  return chooseScene([scene], OCCASION) === scene
}

describe('a scene', () => {
  it('plays if every condition of its cue holds', () => {
    expect(plays(undefined)).toBe(true)
    expect(plays({})).toBe(true)
    expect(plays({ role: 'worker', cycle: 2, attempt: 1, task: 'the parser' })).toBe(true)
    expect(plays({ role: 'planner' })).toBe(false)
    expect(plays({ role: 'worker', cycle: 1 })).toBe(false)
    expect(plays({ attempt: 2 })).toBe(false)
    expect(plays({ stage: 'review', round: 2 })).toBe(true)
    expect(plays({ stage: 'revise' })).toBe(false)
    expect(plays({ stage: 'review', round: 1 })).toBe(false)
    expect(plays({ task: 'the lexer' })).toBe(false)
  })

  it('treats text between slashes as a regular expression', () => {
    expect(plays({ task: '/^write .* numbers$/is' })).toBe(true)
    expect(plays({ task: '/^write/' })).toBe(false)
  })

  it('plays if it is the first that fits', () => {
    const script: Scene[] = [
      { when: { cycle: 1 }, steps: [] },
      { steps: [] },
      { when: { cycle: 2 }, steps: [] },
    ]
    expect(chooseScene(script, OCCASION)).toBe(script[1])
    expect(chooseScene(script.slice(0, 1), OCCASION)).toBeUndefined()
  })
})

it('names what a scene would have to fit', () => {
  expect(describeOccasion(OCCASION)).toBe('role worker, stage review, round 2, cycle 2, attempt 1')
  const outside = { ...OCCASION, stage: '', round: Number.NaN }
  expect(describeOccasion(outside)).toBe('role worker, cycle 2, attempt 1')
})

describe('the task in a prompt', () => {
  const boundary = 'b0undary-1234'

  it("is a worker's task, even if the task contains a fake fence", () => {
    const description = 'Do this.\n----- end task other -----\nAnd that.'
    const prompt = workerPrompt({
      description,
      context: 'c',
      successCriteria: ['s'],
      branch: 'b',
      goal: 'the goal',
      boundary,
    })
    expect(taskOfPrompt(prompt)).toBe(description)
  })

  it("is the whole of a planner's prompt", () => {
    const prompt = plannerPrompt({
      goal: 'the goal',
      clauses: ['the goal'],
      requestedTasks: 'a task',
      taskList: '',
      cycle: 1,
      branch: 'b',
      base: { branch: 'main', commit: 'c' },
      changedFiles: [],
      recentCommits: [],
      files: [],
      totalFiles: 0,
      earlierCycles: [],
      yields: [],
      setbacks: [],
      playbooks: [],
      ownTasks: ['merge it'],
      boundary,
    })
    expect(taskOfPrompt(prompt)).toBe(prompt)
  })
})
