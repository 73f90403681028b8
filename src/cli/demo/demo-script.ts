import { join } from 'node:path'
import {
  DURATION_FIXED,
  DURATION_WRONG,
  durationTest,
  emptyMeanTest,
  MEAN_FIXED,
  MEAN_STRICT,
  MEAN_STRICT_ON_OLD_BASE,
  meanTest,
} from './demo-files.ts'

type Step = Readonly<Record<string, unknown>>
type Scene = { readonly when: Readonly<Record<string, unknown>>; readonly steps: readonly Step[] }

export const DEMO_AGENTS = ['ada', 'ben', 'cleo'] as const
export const DEMO_PLANNER = 'pia'

const FIX_MEAN = 'Fix mean() so that it divides by the length of the list'
const STRICT_MEAN = 'Make mean() reject an empty list'
const FIX_DURATION = 'Fix the missing zero in formatDuration()'
/** The start of the description that Muster gives this task. Muster adds it itself, because of the conflict. */
const MERGE_STRICT_MEAN = `Merge the work of task t1-2 (${STRICT_MEAN})`
const FIX_DURATION_AGAIN = 'Pad the seconds of formatDuration() on the left'

/**
 * What the demo's agents do. In the first cycle, one change lands, one conflicts with it and one fails its check. In
 * the second, the conflict is merged, the failed task is done again, and both land. Then the planner finds that the
 * goal is reached. The agents synchronise with a file in `directory`, so that the order is the same on every machine.
 */
export function demoScript(directory: string): readonly Scene[] {
  return [...plannerScenes(), ...firstCycleScenes(join(directory, 'first-is-done')), ...secondCycleScenes()]
}

function plannerScenes(): readonly Scene[] {
  return [
    scene({ role: 'planner', cycle: 1 }, [
      ...conversation(
        ['reading GOAL.md and the tests', 'three tests are marked todo, and two modules are broken'],
        400,
      ),
      plan('three behaviours are missing, and they can be done in parallel', [
        task(FIX_MEAN, 'ada', 1, ['src/mean.mjs', 'test/mean.test.mjs']),
        // The planner misses that this task changes src/mean.mjs too; otherwise the two would run one after the other.
        task(STRICT_MEAN, 'ben', 2, ['test/empty-mean.test.mjs']),
        task(FIX_DURATION, 'cleo', 3, ['src/duration.mjs', 'test/duration.test.mjs']),
      ]),
    ]),
    scene({ role: 'planner', cycle: 2 }, [
      ...conversation(
        ['one task landed, one has to be merged, one failed its check', 'trying the failed one again'],
        400,
      ),
      plan('the failed task is fixed on the new base, in parallel with the merge', [
        task(FIX_DURATION_AGAIN, 'cleo', 3, ['src/duration.mjs', 'test/duration.test.mjs']),
      ]),
    ]),
    scene({ role: 'planner' }, [
      ...conversation(['looking for tests that are still marked todo', 'there are none'], 300),
      {
        result: {
          tasks: [],
          reasoning: 'every clause of the goal has a passing test',
          blockers: [],
          done: true,
          evidence: [
            'mean() of any length: test/mean.test.mjs passes',
            'mean() of an empty list: test/empty-mean.test.mjs passes',
            'formatDuration(): test/duration.test.mjs passes',
          ],
        },
      },
    ]),
  ]
}

function firstCycleScenes(mark: string): readonly Scene[] {
  return [
    scene({ role: 'worker', cycle: 1, task: FIX_MEAN }, [
      ...conversation(['the sum is divided by one less than the length', 'changing the divisor'], 500),
      write('src/mean.mjs', MEAN_FIXED),
      write('test/mean.test.mjs', meanTest(false)),
      { commit: 'Divide the sum by the length of the list' },
      { touch: mark },
      finished('mean() is correct for lists of any length'),
    ]),
    // This lands after the first change, so it conflicts on the lines that both changed.
    scene({ role: 'worker', cycle: 1, task: STRICT_MEAN }, [
      ...conversation(
        ['an empty list returns NaN today', 'rewriting mean() with a guard', 'running the test'],
        1200,
      ),
      write('src/mean.mjs', MEAN_STRICT_ON_OLD_BASE),
      write('test/empty-mean.test.mjs', emptyMeanTest(false)),
      { commit: 'Reject an empty list in mean()' },
      finished('mean() rejects an empty list'),
    ]),
    scene({ role: 'worker', cycle: 1, task: FIX_DURATION }, [
      ...conversation(
        ['65 seconds are formatted as 1:5', 'padding the seconds to two digits', 'that should do it'],
        700,
      ),
      write('src/duration.mjs', DURATION_WRONG),
      write('test/duration.test.mjs', durationTest(false)),
      { commit: 'Pad the seconds' },
      finished('formatDuration() pads the seconds'),
    ]),
  ]
}

function secondCycleScenes(): readonly Scene[] {
  return [
    scene({ role: 'worker', cycle: 2, task: MERGE_STRICT_MEAN }, [
      ...conversation(['mean() now divides by the length', 'keeping that and adding the guard'], 600),
      write('src/mean.mjs', MEAN_STRICT),
      write('test/empty-mean.test.mjs', emptyMeanTest(false)),
      { commit: 'Reject an empty list in mean()' },
      finished('mean() divides by the length and rejects an empty list'),
    ]),
    scene({ role: 'worker', cycle: 2, task: FIX_DURATION_AGAIN }, [
      ...conversation(['the check got 1:50 for 65 seconds', 'the zero belongs on the left'], 500),
      write('src/duration.mjs', DURATION_FIXED),
      write('test/duration.test.mjs', durationTest(false)),
      { commit: 'Pad the seconds on the left' },
      finished('formatDuration() returns 1:05'),
    ]),
  ]
}

function scene(when: Scene['when'], steps: readonly Step[]): Scene {
  return { when, steps }
}

function conversation(sentences: readonly string[], pauseMs: number): readonly Step[] {
  return sentences.flatMap((sentence) => [{ say: sentence }, { sleep: pauseMs }])
}

function write(path: string, text: string): Step {
  return { write: { path, text } }
}

function finished(summary: string): Step {
  return { result: { summary } }
}

function plan(reasoning: string, tasks: readonly Step[]): Step {
  return { result: { tasks, reasoning, blockers: [], done: false, evidence: [] } }
}

function task(description: string, agent: string, clause: number, files: readonly string[]): Step {
  return {
    description,
    agent,
    files,
    parallel: true,
    priority: 'P1',
    context: `The tests are in ${files.at(-1)}.`,
    successCriteria: ['its test passes and is no longer marked todo'],
    dependsOn: [],
    clauses: [clause],
  }
}
