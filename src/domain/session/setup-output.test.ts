import { expect, it } from 'vitest'
import { withoutSetupOutput } from './setup-output.ts'

it('leaves only what the program printed after setup', () => {
  const setup = 'muster: running setup\nadded 3 packages\n\nmuster: setup finished\n'
  expect(withoutSetupOutput(`${setup}no key\n`)).toBe('no key\n')
  expect(withoutSetupOutput(setup)).toBe('')
  expect(withoutSetupOutput('no key\n')).toBe('no key\n')
})

it('leaves the output of setup if setup failed', () => {
  expect(withoutSetupOutput('muster: running setup\nno network\n')).toBe('no network\n')
})
