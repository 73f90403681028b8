import { expect, it } from 'vitest'
import { runningSetup, withoutSetupOutput } from './setup-output.ts'

it('leaves only what the program printed after setup', () => {
  const setup = 'muster: running setup\nadded 3 packages\n\nmuster: setup finished\n'
  expect(withoutSetupOutput(`${setup}no key\n`)).toBe('no key\n')
  expect(withoutSetupOutput(setup)).toBe('')
  expect(withoutSetupOutput('no key\n')).toBe('no key\n')
})

it('leaves the output of setup if setup failed', () => {
  expect(withoutSetupOutput('muster: running setup\nno network\n')).toBe('no network\n')
  expect(withoutSetupOutput('muster: setup command 2 of 2\nno network\n')).toBe('no network\n')
})

it('says which setup command runs', () => {
  const lines = ['muster: running setup', 'added 3 packages', '', 'muster: setup command 2 of 3', 'built']
  expect(runningSetup([])).toBe(1)
  expect(runningSetup(lines.slice(0, 2))).toBe(1)
  expect(runningSetup(lines)).toBe(2)
  expect(runningSetup([...lines, 'muster: setup finished', 'ok 1'])).toBeUndefined()
})
