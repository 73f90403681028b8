import { describe, expect, it } from 'vitest'
import { type MountRule, planMounts } from './plan-mounts.ts'

const hidden = (path: string, isDirectory = true): MountRule => ({ type: 'hidden', path, isDirectory })
const readable = (path: string): MountRule => ({ type: 'readable', path })
const writable = (path: string): MountRule => ({ type: 'writable', path })
const plan = (...rules: MountRule[]) => planMounts(rules, ['/tmp']).join(' ')

describe('planMounts', () => {
  it('mounts deeper paths later, whatever the order of the rules', () => {
    const expected =
      '--tmpfs /home/ada --ro-bind /home/ada/.agent /home/ada/.agent --bind /home/ada/a/b /home/ada/a/b'
    const rules = [hidden('/home/ada'), readable('/home/ada/.agent'), writable('/home/ada/a/b')]
    expect(plan(...rules)).toBe(expected)
    expect(plan(...rules.toReversed())).toBe(expected)
  })

  it('hides folders and files inside a writable folder', () => {
    expect(plan(writable('/tree'), hidden('/tree/private'), hidden('/tree/.env', false))).toBe(
      '--bind /tree /tree --tmpfs /tree/private --ro-bind /dev/null /tree/.env',
    )
  })

  it('leaves out rules that change nothing', () => {
    expect(
      plan(hidden('/home'), hidden('/home/ada'), readable('/usr'), writable('/w'), readable('/w/x')),
    ).toBe('--tmpfs /home --bind /w /w')
    expect(plan(hidden('/tmp/muster'), writable('/w'), writable('/w/x'))).toBe('--bind /w /w')
  })

  it('shows granted paths in a directory that is otherwise empty', () => {
    expect(plan(writable('/tmp/tree'), readable('/tmp/prompt'))).toBe(
      '--ro-bind /tmp/prompt /tmp/prompt --bind /tmp/tree /tmp/tree',
    )
  })

  it('applies the most generous rule for a path', () => {
    expect(plan(hidden('/home/ada'), hidden('/w'), readable('/w'), writable('/w'))).toBe(
      '--bind /w /w --tmpfs /home/ada',
    )
  })

  it('recreates links in hidden folders, and no others', () => {
    const link = (path: string): MountRule => ({ type: 'link', path, target: 'there' })
    expect(plan(hidden('/home/ada'), link('/home/ada/bin'), link('/usr/bin/x'))).toBe(
      '--tmpfs /home/ada --symlink there /home/ada/bin',
    )
  })

  it('does not mistake a longer name for a path inside', () => {
    expect(plan(hidden('/home/ada'), readable('/home/adam'))).toBe('--tmpfs /home/ada')
  })
})
