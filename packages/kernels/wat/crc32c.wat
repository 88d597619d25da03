;; Folds bytes for CRC-32C (Castagnoli, RFC 3720): x^209 + x^144 + x^54 + x^39 + x^14 + 1 is a multiple of its polynomial
;; P, and so is the same with all exponents times 8 (squaring keeps it one). A byte can therefore be replaced by itself
;; 209 - 144 = 65, 155, 170, 195 and 209 bytes further on, without a change of the remainder by P. Sixteen bytes at a time,
;; pulled rather than pushed: what becomes of a byte is itself and what became of those so far before it.
(module
  (import "env" "memory" (memory 0))
  ;; Folds the bytes [at, end), sixteen at a time, into `out`. `folded` is where what became of the bytes stands: those
  ;; before it are read. The first word of the bytes is changed by `first`: the register starts with all bits set.
  (func (export "fold")
    (param $at i32) (param $end i32) (param $folded i32) (param $out i32) (param $first i32)
    (local $start v128)
    (local.set $start (i32x4.replace_lane 0 (v128.const i32x4 0 0 0 0) (local.get $first)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.lt_u (local.get $at) (local.get $end))))
        (v128.store align=1 (local.get $out)
          (v128.xor
            (v128.xor
              (v128.xor (v128.load align=1 (local.get $at)) (local.get $start))
              (v128.load align=1 (i32.sub (local.get $folded) (i32.const 65))))
            (v128.xor
              (v128.xor
                (v128.load align=1 (i32.sub (local.get $folded) (i32.const 155)))
                (v128.load align=1 (i32.sub (local.get $folded) (i32.const 170))))
              (v128.xor
                (v128.load align=1 (i32.sub (local.get $folded) (i32.const 195)))
                (v128.load align=1 (i32.sub (local.get $folded) (i32.const 209)))))))
        (local.set $start (v128.const i32x4 0 0 0 0))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $folded (i32.add (local.get $folded) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $next)))))
