import { expect, it } from 'vitest'
import { writeProblem } from './write-problem.ts'

const refused = (code: string, errno: number) =>
  Object.assign(new Error(code), { code, errno, syscall: 'write' })

it('explains why a file refused the output', () => {
  expect(writeProblem(refused('ENOSPC', -28), false)).toBe('no space left on device')
  expect(writeProblem(refused('EIO', -5), false)).toBe('i/o error')
})

it('reports nothing if the reader or the terminal is gone', () => {
  expect(writeProblem(refused('EPIPE', -32), false)).toBeUndefined()
  expect(writeProblem(refused('EIO', -5), true)).toBeUndefined()
  expect(writeProblem(new Error('a defect'), false)).toBeUndefined()
})
