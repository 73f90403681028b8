import { expect, it } from 'vitest'
import { tellingLine } from './telling-line.ts'

const NPM = `npm error code ENOENT
npm error path /tree/package.json
npm error errno -2
npm error enoent Could not read package.json: Error: ENOENT: no such file or directory
npm error enoent This is related to npm not being able to find a file.
npm error enoent
npm notice
npm notice New major version of npm available!
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-debug-0.log`

const NODE = `/tree/agent.mjs:3
throw new TypeError('no key')
      ^

TypeError: no key
    at Object.<anonymous> (/tree/agent.mjs:3:7)
    at Module._compile (node:internal/modules/cjs/loader:1)

Node.js v24.9.0`

const SCRIPT = `npm error code 1
npm error path /tree
npm error command failed
npm error command sh -c node build.js
npm error Error: Cannot find module 'left-pad'
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-debug-0.log`

it.each([
  [NPM, 'npm error enoent Could not read package.json: Error: ENOENT: no such file or directory'],
  [NODE, 'TypeError: no key'],
  [SCRIPT, "npm error Error: Cannot find module 'left-pad'"],
  [
    'npm error Missing script: "test"\nnpm error\nnpm error To see a list',
    'npm error Missing script: "test"',
  ],
  ['Traceback (most recent call last):\n  File "a.py"\nValueError: no key', 'ValueError: no key'],
  ['one\nno key', 'no key'],
  ['quota is used up\nnpm notice new version', 'quota is used up'],
])('finds the line that explains a failure', (output, line) => {
  expect(tellingLine(output.split('\n'))).toBe(line)
})

it('falls back to the last line', () => {
  expect(tellingLine(['npm notice'])).toBe('npm notice')
  expect(tellingLine([])).toBeUndefined()
})
