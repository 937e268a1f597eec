/** CityHash64 1.0.2, as `cityHash64` of ClickHouse computes it for a text of up to 64 bytes. */
const MASK = (1n << 64n) - 1n;
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K3 = 0xc949d7c7509e6557n;
const MULTIPLIER = 0x9ddfea08eb382d69n;

const u64 = (value: bigint): bigint => value & MASK;
const rotate = (value: bigint, by: bigint): bigint => u64((value >> by) | (value << (64n - by)));
const shiftMix = (value: bigint): bigint => value ^ (value >> 47n);

function hash16(u: bigint, v: bigint): bigint {
  const a = shiftMix(u64((u ^ v) * MULTIPLIER));
  return u64(shiftMix(u64((v ^ a) * MULTIPLIER)) * MULTIPLIER);
}

function hashTo16(s: Buffer): bigint {
  const length = BigInt(s.length);
  if (s.length > 8) {
    const [a, b] = [s.readBigUInt64LE(0), s.readBigUInt64LE(s.length - 8)];
    return hash16(a, rotate(u64(b + length), length)) ^ b;
  }
  if (s.length >= 4) return hash16(length + (BigInt(s.readUInt32LE(0)) << 3n), BigInt(s.readUInt32LE(s.length - 4)));
  if (s.length === 0) return K2;
  const y = BigInt(s.readUInt8(0) + (s.readUInt8(s.length >> 1) << 8));
  const z = BigInt(s.length + (s.readUInt8(s.length - 1) << 2));
  return u64(shiftMix(u64(y * K2) ^ u64(z * K3)) * K2);
}

function hashTo32(s: Buffer): bigint {
  const a = u64(s.readBigUInt64LE(0) * K1);
  const b = s.readBigUInt64LE(8);
  const c = u64(s.readBigUInt64LE(s.length - 8) * K2);
  const d = u64(s.readBigUInt64LE(s.length - 16) * K0);
  return hash16(u64(rotate(u64(a - b), 43n) + rotate(c, 30n) + d), u64(a + rotate(b ^ K3, 20n) - c + BigInt(s.length)));
}

/** Two words of 32 bytes, of which `last` is the last of the four numbers. */
function half(first: bigint, second: bigint, third: bigint, last: bigint): [bigint, bigint] {
  let a = first;
  const b = rotate(u64(a + last), 52n);
  let c = rotate(a, 37n);
  a = u64(a + second);
  c = u64(c + rotate(a, 7n));
  a = u64(a + third);
  return [u64(a + last), u64(b + rotate(a, 31n) + c)];
}

function hashTo64(s: Buffer): bigint {
  const at = (offset: number): bigint => s.readBigUInt64LE(offset);
  const end = s.length;
  const [vf, vs] = half(u64(at(0) + (BigInt(end) + at(end - 16)) * K0), at(8), at(16), at(24));
  const [wf, ws] = half(u64(at(16) + at(end - 32)), at(end - 24), at(end - 16), at(end - 8));
  const r = shiftMix(u64((vf + ws) * K2 + (wf + vs) * K0));
  return u64(shiftMix(u64(r * K0 + vs)) * K2);
}

/** Throws a RangeError for a longer text. */
export function cityHash64(text: string): bigint {
  const bytes = Buffer.from(text);
  if (bytes.length <= 16) return hashTo16(bytes);
  if (bytes.length <= 32) return hashTo32(bytes);
  if (bytes.length <= 64) return hashTo64(bytes);
  throw new RangeError('a hash is computed of at most 64 bytes');
}
