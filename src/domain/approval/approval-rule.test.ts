import { expect, it } from 'vitest'
import { describeMatch, exactCommand } from './approval-rule.ts'

const bash = (input: Record<string, unknown>, directory = '/trees/one') =>
  exactCommand({ type: 'tool-use', tool: 'Bash', input, directory })

it('compares a whole command, without the description that the program gives it', () => {
  expect(bash({ command: 'ls', description: 'List' })).toEqual(bash({ command: 'ls', description: 'Look' }))
  expect(bash({ command: 'ls' })).not.toEqual(bash({ command: 'ls ' }))
  expect(bash({ command: 'ls' })).not.toEqual(bash({ command: 'ls', dangerouslyDisableSandbox: true }))
})

it('treats the root of every working tree as the same place, and other directories as different', () => {
  const at = (cwd: string, directory: string) => bash({ command: 'ls', cwd }, directory)
  expect(at('/trees/one', '/trees/one')).toEqual(at('/trees/two', '/trees/two'))
  expect(at('/trees/one', '/trees/one')).not.toEqual(at('/etc', '/trees/one'))
})

it('says what it allows', () => {
  expect(describeMatch({ type: 'alike', tool: 'Bash', kind: 'run' })).toBe(
    'may run any command with Bash without asking, until its session ends',
  )
  expect(describeMatch({ type: 'exact', tool: 'Bash', digest: 'd', words: 'run: npm test' })).toBe(
    'may always run: npm test, in this job',
  )
})
