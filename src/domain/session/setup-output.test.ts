import { describe, expect, it } from 'vitest'
import { nextSetupProgress, type SetupProgress, withoutSetupOutput } from './setup-output.ts'

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

describe('the progress of setup', () => {
  const lines = ['muster: running setup', 'added 3 packages', '', 'muster: setup command 2 of 3', 'built']
  const progressAfter = (printed: readonly string[]) =>
    printed.reduce<SetupProgress | undefined>(nextSetupProgress, undefined)

  it('follows the commands as they start', () => {
    expect(progressAfter([])).toBeUndefined()
    expect(progressAfter(lines.slice(0, 2))).toEqual({ type: 'running', number: 1 })
    expect(progressAfter(lines)).toEqual({ type: 'running', number: 2 })
  })

  it('ends before the program, whatever the program prints', () => {
    const finished = [...lines, 'muster: setup finished']
    expect(progressAfter(finished)).toEqual({ type: 'finished' })
    expect(progressAfter([...finished, 'muster: setup command 3 of 3', 'muster: running setup'])).toEqual({
      type: 'finished',
    })
  })

  it('does not begin with the lines of a program without setup', () => {
    expect(progressAfter(['muster: setup command 2 of 3', 'muster: setup finished'])).toBeUndefined()
  })
})
