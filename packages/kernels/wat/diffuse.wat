;; One step over the rows of a graph: each row of eight float32 becomes a times the weighted sum of the rows that it is tied
;; to, plus b times itself, plus c times what stands where the result goes. JavaScript takes one number at a time. An edge has
;; 8 bytes: how far on the other row lies from the first, and a float32 weight.
(module
  (import "env" "memory" (memory 0))
  ;; Addresses: of where the edges of each row end (an address each) and where these end, of the first edge, of the first row
  ;; and of its result.
  (func (export "step")
    (param $ends i32) (param $stop i32) (param $edge i32) (param $rows i32) (param $results i32)
    (param $a f32) (param $b f32) (param $c f32)
    (local $end i32) (local $own i32) (local $other i32) (local $weight v128) (local $none v128)
    (local $left v128) (local $right v128) (local $ofSum v128) (local $ofOwn v128) (local $ofResult v128)
    (local.set $ofSum (f32x4.splat (local.get $a)))
    (local.set $ofOwn (f32x4.splat (local.get $b)))
    (local.set $ofResult (f32x4.splat (local.get $c)))
    (local.set $own (local.get $rows))
    (block $done
      (loop $nextRow
        (br_if $done (i32.eq (local.get $ends) (local.get $stop)))
        (local.set $end (i32.load (local.get $ends)))
        (local.set $left (local.get $none))
        (local.set $right (local.get $none))
        (block $noEdges
          (loop $nextEdge
            (br_if $noEdges (i32.eq (local.get $edge) (local.get $end)))
            (local.set $other (i32.add (local.get $rows) (i32.load (local.get $edge))))
            (local.set $weight (v128.load32_splat offset=4 (local.get $edge)))
            (local.set $left
              (f32x4.add (local.get $left) (f32x4.mul (local.get $weight) (v128.load (local.get $other)))))
            (local.set $right
              (f32x4.add (local.get $right) (f32x4.mul (local.get $weight) (v128.load offset=16 (local.get $other)))))
            (local.set $edge (i32.add (local.get $edge) (i32.const 8)))
            (br $nextEdge)))
        (v128.store
          (local.get $results)
          (f32x4.add
            (f32x4.mul (local.get $ofSum) (local.get $left))
            (f32x4.add
              (f32x4.mul (local.get $ofOwn) (v128.load (local.get $own)))
              (f32x4.mul (local.get $ofResult) (v128.load (local.get $results))))))
        (v128.store offset=16
          (local.get $results)
          (f32x4.add
            (f32x4.mul (local.get $ofSum) (local.get $right))
            (f32x4.add
              (f32x4.mul (local.get $ofOwn) (v128.load offset=16 (local.get $own)))
              (f32x4.mul (local.get $ofResult) (v128.load offset=16 (local.get $results))))))
        (local.set $own (i32.add (local.get $own) (i32.const 32)))
        (local.set $results (i32.add (local.get $results) (i32.const 32)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (br $nextRow)))))
