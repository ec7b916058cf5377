import { describe, expect, it } from 'vitest';
import { ReplyMemory, type Incoming } from '../../src/target/session/reply-memory.js';

class Reply implements Incoming {
  isPaused = false;
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
}

describe('the room for replies that are coming in', () => {
  it('lets the first go on when it is full, and the next when that has ended', () => {
    const room = new ReplyMemory(100);
    const [first, second, third] = [new Reply(), new Reply(), new Reply()];
    const paused = (): readonly boolean[] => [first, second, third].map(({ isPaused }) => isPaused);
    room.take(first, 60);
    room.take(second, 30);
    expect(paused()).toEqual([false, false, false]);
    room.take(third, 30);
    room.take(second, 30);
    room.take(first, 500);
    expect(paused()).toEqual([false, true, true]);
    room.leave(first);
    expect(paused()).toEqual([false, false, false]);
    room.take(second, 20);
    room.take(third, 100);
    expect(paused()).toEqual([false, false, true]);
    room.leave(second);
    expect(paused()).toEqual([false, false, false]);
  });

  it('is free of what nobody wants any more', () => {
    const room = new ReplyMemory(100);
    const [first, second] = [new Reply(), new Reply()];
    room.take(first, 90);
    room.take(second, 90);
    expect(second.isPaused).toBe(true);
    room.leave(second);
    room.leave(second);
    const third = new Reply();
    room.take(third, 10);
    expect(third.isPaused).toBe(false);
  });
});
