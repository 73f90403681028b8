import { describe, expect, it } from 'vitest'
import { programFolders } from './program-folders.ts'

describe('programFolders', () => {
  it('shows libraries next to bin, but never the parent', () => {
    const folders = programFolders('/home/ann/.cargo/bin', '/home/ann')
    expect(folders).toContain('/home/ann/.cargo/bin')
    expect(folders).toContain('/home/ann/.cargo/lib')
    expect(folders).not.toContain('/home/ann/.cargo')
  })

  it.each([
    ['/home/ann/bin', ['/home/ann/bin']],
    ['/home/bin', ['/home/bin']],
    ['/bin', ['/bin']],
    ['/home/ann/scripts', ['/home/ann/scripts']],
    [
      '/home/ann/.local/bin',
      ['/home/ann/.local/bin', '/home/ann/.local/lib', '/home/ann/.local/lib64', '/home/ann/.local/libexec'],
    ],
  ])('shows for %s only %j', (directory, expected) => {
    expect(programFolders(directory, '/home/ann')).toEqual(expected)
  })
})
