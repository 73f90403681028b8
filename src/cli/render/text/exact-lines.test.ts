import { describe, expect, it } from 'vitest'
import { exactLines } from './exact-lines.ts'

describe('exactLines', () => {
  it('omits and hides nothing', () => {
    const introducer = String.fromCharCode(27)
    const turned = String.fromCharCode(0x202e)
    expect(exactLines({ command: `rm ${introducer}[8m-rf${turned} /`, timeout: 5, dry: false })).toEqual([
      'command: rm \\u001b[8m-rf\\u202e /',
      'timeout: 5',
      'dry: false',
    ])
  })

  it('marks further lines, so that no text looks like another field', () => {
    expect(exactLines({ content: 'one\npath: /etc/hosts', 'pa\nth': 'a' })).toEqual([
      'content: one',
      '| path: /etc/hosts',
      'pa\\nth: a',
    ])
  })

  it('shows other values as text or JSON', () => {
    expect(exactLines('ls\npwd')).toEqual(['ls', '| pwd'])
    expect(exactLines([1, { a: 2 }])).toEqual(['[1,{"a":2}]'])
    expect(exactLines(undefined)).toEqual([''])
  })
})
