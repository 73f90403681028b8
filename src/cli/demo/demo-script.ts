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
const STRICT_MEAN = 'Make mean() refuse an empty list'
const FIX_DURATION = 'Fix the zero that formatDuration() leaves out'
/** Muster's own words: nobody has to plan the merge of what conflicted. */
const MERGE_STRICT_MEAN = `Merge the work of task 1.2 (${STRICT_MEAN})`
const FIX_DURATION_AGAIN = 'Pad the seconds of formatDuration() on the left'

/**
 * What the demo's agents do. In the first cycle one change lands, one conflicts with it and one fails its
 * check; in the second the one is merged, the other is done again, and both land; then the planner finds the goal
 * reached. In `directory` the agents leave each other a mark, so that the story has the same order on every machine.
 */
export function demoScript(directory: string): readonly Scene[] {
  return [...plannerScenes(), ...firstCycleScenes(join(directory, 'first-is-done')), ...secondCycleScenes()]
}

function plannerScenes(): readonly Scene[] {
  return [
    scene({ role: 'planner', cycle: 1 }, [
      ...talk(
        ['reading GOAL.md and the tests', 'three tests are marked todo, two modules are at fault'],
        400,
      ),
      plan('three behaviours are missing, and nothing keeps them from being done at once', [
        task(FIX_MEAN, 'ada', 1, ['src/mean.mjs', 'test/mean.test.mjs']),
        // It does not see that this touches src/mean.mjs as well, or the two would be done one after the other.
        task(STRICT_MEAN, 'ben', 2, ['test/empty-mean.test.mjs']),
        task(FIX_DURATION, 'cleo', 3, ['src/duration.mjs', 'test/duration.test.mjs']),
      ]),
    ]),
    scene({ role: 'planner', cycle: 2 }, [
      ...talk(['one task landed, one is to be merged, one failed its check', 'it is worth another go'], 400),
      plan('the failed check is repaired on the new base, beside the merge', [
        task(FIX_DURATION_AGAIN, 'cleo', 3, ['src/duration.mjs', 'test/duration.test.mjs']),
      ]),
    ]),
    scene({ role: 'planner' }, [
      ...talk(['looking for tests that are still marked todo', 'there are none'], 300),
      {
        result: {
          tasks: [],
          reasoning: 'every clause of the goal has a test that passes',
          blockers: [],
          done: true,
          evidence: [
            'mean() of any length: test/mean.test.mjs passes',
            'mean() of nothing: test/empty-mean.test.mjs passes',
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
      ...talk(['the sum is divided by one less than the length', 'changing the divisor'], 500),
      write('src/mean.mjs', MEAN_FIXED),
      write('test/mean.test.mjs', meanTest(false)),
      { commit: 'Divide the sum by the length of the list' },
      { touch: mark },
      finished('mean() is right for lists of any length'),
    ]),
    // Comes after the first, and so finds the lines it changed already changed.
    scene({ role: 'worker', cycle: 1, task: STRICT_MEAN }, [
      ...talk(
        ['an empty list gives NaN today', 'writing mean() anew, with a guard', 'running the test'],
        1200,
      ),
      write('src/mean.mjs', MEAN_STRICT_ON_OLD_BASE),
      write('test/empty-mean.test.mjs', emptyMeanTest(false)),
      { commit: 'Refuse the mean of an empty list' },
      finished('mean() refuses an empty list'),
    ]),
    scene({ role: 'worker', cycle: 1, task: FIX_DURATION }, [
      ...talk(['65 seconds show as 1:5', 'padding the seconds to two digits', 'this must be it'], 700),
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
      ...talk(['mean() divides by the length now', 'keeping that, and adding the guard'], 600),
      write('src/mean.mjs', MEAN_STRICT),
      write('test/empty-mean.test.mjs', emptyMeanTest(false)),
      { commit: 'Refuse the mean of an empty list' },
      finished('mean() divides by the length and refuses an empty list'),
    ]),
    scene({ role: 'worker', cycle: 2, task: FIX_DURATION_AGAIN }, [
      ...talk(['the check said 1:50 for 65 seconds', 'the zero belongs on the left'], 500),
      write('src/duration.mjs', DURATION_FIXED),
      write('test/duration.test.mjs', durationTest(false)),
      { commit: 'Pad the seconds on the left' },
      finished('formatDuration() shows 1:05'),
    ]),
  ]
}

function scene(when: Scene['when'], steps: readonly Step[]): Scene {
  return { when, steps }
}

function talk(sentences: readonly string[], pauseMs: number): readonly Step[] {
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
