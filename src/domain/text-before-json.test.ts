import { expect, it } from 'vitest'
import { textBeforeJson } from './text-before-json.ts'

it('leaves out the JSON at the end of a text', () => {
  const json = '{"type":"result","summary":"x","nested":{"a":[1]}}'
  expect(textBeforeJson(`Wrote UNI.md.\n${json}\n`)).toBe('Wrote UNI.md.')
  expect(textBeforeJson(`Wrote UNI.md. ${json}`)).toBe('Wrote UNI.md.')
  expect(textBeforeJson(`Wrote UNI.md.\n\n\`\`\`json\n${json}\n\`\`\``)).toBe('Wrote UNI.md.')
  expect(textBeforeJson(json)).toBe('')
})

it('keeps a text without JSON at its end', () => {
  for (const text of ['Done.', 'Call f({ "a" })', 'Set {"a":1} in the file.', 'function f() { "x" }'])
    expect(textBeforeJson(text)).toBe(text)
})
