import { expect, it } from 'vitest'
import { exampleVisit } from '../../../test/support/example-records.ts'
import { bestBranch } from './best-branch.ts'

const checked = (branch: number, answer?: object) => exampleVisit({ stage: 'verify', branch, answer })

it.each([
  [
    'passed the most checks',
    [
      { passed: 1, changedLines: 1 },
      { passed: 2, changedLines: 9 },
    ],
    2,
  ],
  [
    'changed less, of those that passed as many',
    [
      { passed: 2, changedLines: 9 },
      { passed: 2, changedLines: 1 },
    ],
    2,
  ],
  [
    'comes first, of those that are as good',
    [
      { passed: 2, changedLines: 1 },
      { passed: 2, changedLines: 1 },
    ],
    1,
  ],
  ['was checked at all', [undefined, { passed: 1, changedLines: 9 }], 2],
])('is the one that %s', (_what, answers, branch) => {
  expect(bestBranch(answers.map((answer, index) => checked(index + 1, answer)))?.branch).toBe(branch)
})

it('is undefined without any branches', () => {
  expect(bestBranch([])).toBeUndefined()
})
