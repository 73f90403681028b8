import { describe, expect, it } from 'vitest'
import { readScript } from './read-script.ts'

function problemOf(text: string, format: 'yaml' | 'json' = 'yaml'): string {
  const read = readScript(text, format)
  return read.ok ? 'no problem' : read.failure
}

describe('a script', () => {
  it('may use every step', () => {
    const read = readScript(
      `
- when: { role: worker, cycle: 1, attempt: 2, task: "/x/i" }
  steps:
    - say: hello
    - emit: { type: usage, inputTokens: 1, outputTokens: 2 }
    - write: { path: a/b.txt, text: "1" }
    - append: { path: a/b.txt, text: "2" }
    - remove: a
    - commit: done
    - run: [ls, -l]
    - sleep: 5
    - error-line: oh
    - spam: { lines: 3, text: x }
    - wait-for: { file: /tmp/x, seconds: 2 }
    - touch: /tmp/y
    - result: { tasks: [] }
    - crash: SIGKILL
    - exit: 3
`,
      'yaml',
    )
    expect(read.ok && read.value[0]?.steps).toHaveLength(15)
  })

  it.each([
    ['say: x', 'a script is a list of scenes', 1],
    ['- steps:\n    - shout: x', 'there is no step "shout"', 2],
    ['- steps:\n    - say: x\n      exit: 1', 'a mapping with one key', 2],
    ['- steps:\n    - say: x\n    - exit: 256', '<=255', 3],
    ['- steps: []\n- when:\n    cycle: one\n  steps: []', 'expected', 3],
    ['- when: { task: "/(/" }\n  steps: []', 'is not a regular expression', 1],
    ['- steps:\n    - write: { path: ../x, text: "" }', 'does not leave the working tree', 2],
    ['- steps:\n    - write: { path: /etc/x, text: "" }', 'does not leave the working tree', 2],
    ['- steps:\n    - remove: a/../../x', 'does not leave the working tree', 2],
    ['- steps:\n    - touch: x', 'must be an absolute path', 2],
    ['- steps:\n    - run: []', 'expected', 2],
    ['- steps:\n    - say: "x', 'Missing closing', 2],
    ['- steps: [{__proto__: 1}]', 'a step is a mapping', 1],
    ['- steps: []\n  else: 1', 'else', 1],
  ])('is refused with a line and a reason: %j', (text, reason, line) => {
    const problem = problemOf(text)
    expect(problem).toContain(reason)
    expect(problem).toMatch(new RegExp(`^line ${line}\\b`))
  })

  it('is refused if its aliases expand exponentially', () => {
    const levels = Array.from({ length: 20 }, (_, n) => `- &a${n + 1} [${`*a${n},`.repeat(10)}]`)
    expect(problemOf(['- &a0 [x]', ...levels].join('\n'))).toContain('alias')
  })

  it('must be JSON in a JSON file', () => {
    expect(problemOf('[{"steps":[{"say":"x"}]}]', 'json')).toBe('no problem')
    expect(problemOf('- steps: []', 'json')).toContain('JSON')
  })
})
