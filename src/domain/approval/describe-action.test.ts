import { describe, expect, it } from 'vitest'
import { describeLanding, describeToolUse } from './describe-action.ts'

const DIRECTORY = '/trees/one'

describe('an action reads as a person would say it', () => {
  it.each([
    ['Bash', { command: 'echo "hello" > hello.txt' }, 'run', 'echo "hello" > hello.txt'],
    ['Write', { file_path: '/trees/one/src/a.ts', content: 'x' }, 'write', 'src/a.ts'],
    ['Edit', { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' }, 'edit', '/etc/hosts'],
    ['WebFetch', { url: 'https://example.org', prompt: 'read' }, 'fetch', 'https://example.org'],
    ['shell', { command: ['bash', '-lc', 'npm test'], cwd: DIRECTORY }, 'run', "bash -lc 'npm test'"],
    ['shell', { command: "/bin/sh -c 'make'" }, 'run', "/bin/sh -c 'make'"],
    ['apply_patch', { paths: ['/trees/one/a', '/trees/one/b'] }, 'edit', 'a, b'],
    ['network', { network: { host: 'example.org', protocol: 'https' } }, 'reach', 'https://example.org'],
    ['permissions', { network: { enabled: true } }, 'get these permissions', '{"network":{"enabled":true}}'],
    ['execute', { command: 'touch a' }, 'run', 'touch a'],
    ['edit', { filePath: '/trees/one/b.txt', content: 'c' }, 'edit', 'b.txt'],
    ['edit', { title: 'b.txt', locations: [{ path: '/trees/one/b.txt' }] }, 'edit', 'b.txt'],
    ['run_shell_command', { command: 'ls' }, 'run', 'ls'],
    ['mcp__tracker__close', { id: 7 }, 'use', 'mcp__tracker__close {"id":7}'],
    ['Bash', { script: 'ls' }, 'use', 'Bash {"script":"ls"}'],
    ['think', undefined, 'use', 'think'],
    ['odd', 'text', 'use', 'odd text'],
  ])('%s %o', (tool, input, verb, object) => {
    expect(describeToolUse({ tool, input, directory: DIRECTORY })).toMatchObject({ verb, object })
  })

  it('keeps the fields of the input that the sentence does not contain', () => {
    const { rest } = describeToolUse({
      tool: 'Bash',
      input: { command: 'ls', timeout: 5, description: 'List files' },
      directory: DIRECTORY,
    })
    expect(rest).toEqual({ timeout: 5, description: 'List files' })
  })

  it('does not call a path that leaves the working tree one of its files', () => {
    const input = { file_path: '/trees/one/../two/a.ts' }
    expect(describeToolUse({ tool: 'Write', input, directory: DIRECTORY }).object).toBe(
      '/trees/one/../two/a.ts',
    )
  })
})

it('names the tasks that want to land', () => {
  const one = { name: 't1-1', title: 'Parse weeks; t9-9 not a task' }
  const two = { name: 't2-3', title: 'Print weeks' }
  expect(describeLanding({ tasks: [one] })).toBe('t1-1 "Parse weeks; t9-9 not a task" wants to land')
  expect(describeLanding({ tasks: [one, two] })).toBe('t1-1 and t2-3 want to land together')
  expect(describeLanding({ tasks: [], base: 'main' })).toBe('new commits on main want to land')
})
